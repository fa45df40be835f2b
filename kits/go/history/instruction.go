package history

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

var agentPath = regexp.MustCompile(`^(?:/morpheus|/root(?:/[a-z0-9_]+)*)$`)

func isAgentPath(value any) bool {
	path, isText := value.(string)
	return isText && agentPath.MatchString(path) &&
		!slices.Contains(strings.Split(strings.TrimPrefix(path, "/root"), "/"), "root")
}

// instructionKeys are the keys of an inter-agent instruction, with what each must hold where it is.
var instructionKeys = map[string]func(value any) bool{
	"author":            isAgentPath,
	"recipient":         isAgentPath,
	"content":           isText,
	"trigger_turn":      isBool,
	"other_recipients":  areAgentPaths,
	"id":                orNull(isText),
	"encrypted_content": orNull(isText),
	"internal_chat_message_metadata_passthrough": orNull(isObject),
}

var requiredInstructionKeys = []string{"author", "recipient", "content", "trigger_turn"}

func isText(value any) bool   { _, is := value.(string); return is }
func isBool(value any) bool   { _, is := value.(bool); return is }
func isObject(value any) bool { _, is := value.(map[string]any); return is }

func areAgentPaths(value any) bool {
	paths, isList := value.([]any)
	return isList && !slices.ContainsFunc(paths, func(path any) bool { return !isAgentPath(path) })
}

func orNull(holds func(any) bool) func(any) bool {
	return func(value any) bool { return value == nil || holds(value) }
}

// isInterAgentInstruction is SPEC 4.6: exactly one text, and it is the JSON of an instruction.
func isInterAgentInstruction(content []Entry) bool {
	if len(content) != 1 || content[0].Text == nil {
		return false
	}
	text := *content[0].Text
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") || !json.Valid([]byte(text)) {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // no number is too large to be ignored
	seen, good := readInstruction(decoder)
	return good && !slices.ContainsFunc(requiredInstructionKeys, func(key string) bool { return !seen[key] })
}

// readInstruction reads key by key, for decoding into a map would hide repeated keys.
func readInstruction(decoder *json.Decoder) (seen map[string]bool, good bool) {
	seen = make(map[string]bool)
	_, _ = decoder.Token() // the opening brace of a text known to be valid
	for decoder.More() {
		token, _ := decoder.Token()
		key, _ := token.(string)
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, false
		}
		holds, known := instructionKeys[key]
		if known && (seen[key] || !holds(value)) {
			return nil, false
		}
		seen[key] = true
	}
	return seen, true
}
