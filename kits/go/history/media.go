package history

import (
	"slices"

	"context-adapter/faults"
)

const (
	imageOmitted = "image content omitted because you do not support image input"
	audioOmitted = "audio content omitted because you do not support audio input"
)

// downgraded is steps C and D, which are independent of each other (AUD-5). The list is the caller's
// own; the items are copied where they change.
func downgraded(envelopes []Envelope, modalities Modalities) []Envelope {
	if modalities.Image && modalities.Audio {
		return envelopes // IMG-1, AUD-1
	}
	for i, envelope := range envelopes {
		envelopes[i].Item = downgrade(envelope.Item, modalities)
	}
	return envelopes
}

// downgrade gives an item without the media that the model does not take; all else stays (IMG-5).
func downgrade(item Item, modalities Modalities) Item {
	switch item := item.(type) {
	case *Message:
		if content, changed := textForMedia(item.Content, modalities); changed {
			message := *item
			message.Content = content
			if faults.On(faults.ImageRemoved) && !modalities.Image {
				message.Content = entriesBut(item.Content, func(entry Entry) bool { return entry.Type == "input_image" })
			}
			return &message
		}
	case *FunctionCallOutput:
		if content, changed := textForMediaInBody(item.Output, modalities); changed {
			output := *item
			output.Output = content
			return &output
		}
	case *CustomToolCallOutput:
		if content, changed := textForMediaInBody(item.Output, modalities); changed {
			output := *item
			output.Output = content
			return &output
		}
	case *ImageGenerationCall:
		if !modalities.Image { // IMG-4, AUD-4
			call := *item
			call.Result = ""
			return &call
		}
	}
	return item
}

// textForMediaInBody leaves a string body as it is, a data URL too (IMG-3, AUD-3).
func textForMediaInBody(body Body, modalities Modalities) (content []Entry, changed bool) {
	entries, isArray := body.([]Entry)
	if !isArray {
		return nil, false
	}
	return textForMedia(entries, modalities)
}

// textForMedia replaces entries in place (IMG-2, AUD-2); unchanged content is the given one.
func textForMedia(entries []Entry, modalities Modalities) (content []Entry, changed bool) {
	content = entries
	for i, entry := range entries {
		var text string
		switch {
		case entry.Type == "input_image" && !modalities.Image:
			text = imageOmitted
		case entry.Type == "input_audio" && !modalities.Audio:
			text = audioOmitted
		default:
			continue
		}
		if !changed {
			content, changed = slices.Clone(entries), true
		}
		content[i] = inputText(text)
	}
	return content, changed
}

func inputText(text string) Entry { return Entry{Type: "input_text", Text: &text} }
