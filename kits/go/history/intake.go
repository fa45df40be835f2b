package history

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // the formats that are decoded
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"
)

const (
	imageUndecodable = "image content omitted because it could not be processed"
	audioUndecodable = "audio content omitted because it could not be processed"
)

// taken gives an item as edition 2026-11 records it, before its body is truncated: media that cannot
// be decoded becomes text (E11-5), and empty texts of an output's body go (E11-3).
func taken(item Item) Item {
	switch item := item.(type) {
	case *Message:
		message := *item
		message.Content = decodable(item.Content)
		return &message
	case *FunctionCallOutput:
		output := *item
		output.Output = takenBody(item.Output)
		return &output
	case *CustomToolCallOutput:
		output := *item
		output.Output = takenBody(item.Output)
		return &output
	}
	return item
}

func takenBody(body Body) Body {
	entries, isArray := body.([]Entry)
	if !isArray {
		return body
	}
	return entriesBut(decodable(entries), func(entry Entry) bool {
		return entry.Type == "input_text" && *entry.Text == ""
	})
}

func decodable(entries []Entry) []Entry {
	content := slices.Clone(entries)
	for i, entry := range content {
		switch {
		case entry.Type == "input_image" && !isDecodableImage(*entry.ImageURL):
			content[i] = inputText(imageUndecodable)
		case entry.Type == "input_audio" && !strings.HasPrefix(*entry.AudioURL, "data:audio/"):
			content[i] = inputText(audioUndecodable)
		}
	}
	return content
}

func isDecodableImage(url string) bool {
	_, payload, isData := strings.Cut(url, ";base64,")
	if !isData || !strings.HasPrefix(url, "data:image/") {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return false
	}
	_, _, err = image.Decode(bytes.NewReader(data))
	return err == nil
}
