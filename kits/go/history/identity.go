package history

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"reflect"
	"strings"
	"time"
)

// idPrefixes are those of fresh ids, by item type (E11-2).
var idPrefixes = map[string]string{
	"message":                 "msg",
	"agent_message":           "amsg",
	"reasoning":               "rs",
	"local_shell_call":        "lsh",
	"function_call":           "fc",
	"tool_search_call":        "tsc",
	"function_call_output":    "fco",
	"custom_tool_call":        "ctc",
	"custom_tool_call_output": "ctco",
	"tool_search_output":      "tso",
	"web_search_call":         "ws",
	"image_generation_call":   "ig",
	"compaction":              "cmp",
	"context_compaction":      "cmp",
	"additional_tools":        "at",
}

// identified gives an item with an id: its own, or a fresh one if that is absent or empty (E11-2).
func identified(item Item) Item {
	prefix, hasID := idPrefixes[fieldOf(item, "Type").String()]
	if !hasID {
		return item
	}
	if id := idOf(item); id != nil && *id != "" {
		return item
	}
	id := prefix + "_" + uuid7()
	return withID(item, &id)
}

// idShown gives an item as a prompt shows it: an id of no usual form is left out (E11-6).
func idShown(item Item) Item {
	id := idOf(item)
	if id == nil {
		return item
	}
	prefix, suffix, _ := strings.Cut(*id, "_")
	if prefix != "" && suffix != "" {
		return item
	}
	return withID(item, nil)
}

// idOf gives the item id of any type, nil if it has none. All types keep it in one field of one name.
func idOf(item Item) *string {
	if field := fieldOf(item, "ID"); field.IsValid() {
		return field.Interface().(*string)
	}
	return nil
}

func withID(item Item, id *string) Item {
	copied := reflect.New(reflect.TypeOf(item).Elem())
	copied.Elem().Set(reflect.ValueOf(item).Elem())
	copied.Elem().FieldByName("ID").Set(reflect.ValueOf(id))
	return copied.Interface()
}

func fieldOf(item Item, name string) reflect.Value {
	return reflect.ValueOf(item).Elem().FieldByName(name)
}

func uuid7() string {
	var id [16]byte
	if _, err := rand.Read(id[6:]); err != nil {
		panic("no random numbers: " + err.Error())
	}
	var milliseconds [8]byte
	binary.BigEndian.PutUint64(milliseconds[:], uint64(time.Now().UnixMilli()))
	copy(id[:6], milliseconds[2:])
	return uuidText(id[:], 7)
}

// uuidText writes a UUID after setting its version and variant.
func uuidText(id []byte, version byte) string {
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	text := hex.EncodeToString(id)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
