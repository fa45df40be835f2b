package history

import "encoding/json"

// readers reads the fields of each item type of SPEC 1.1.
var readers = map[string]func(kind string, f *fields) Item{
	"message":                 readMessage,
	"agent_message":           readAgentMessage,
	"reasoning":               readReasoning,
	"function_call":           readFunctionCall,
	"function_call_output":    readFunctionCallOutput,
	"custom_tool_call":        readCustomToolCall,
	"custom_tool_call_output": readCustomToolCallOutput,
	"tool_search_call":        readToolSearchCall,
	"tool_search_output":      readToolSearchOutput,
	"local_shell_call":        readLocalShellCall,
	"web_search_call":         readWebSearchCall,
	"image_generation_call":   readImageGenerationCall,
	"additional_tools":        readAdditionalTools,
	"compaction":              readCompaction,
	"compaction_summary":      readCompaction,
	"context_compaction":      readContextCompaction,
	"compaction_trigger":      readCompactionTrigger,
}

// ReadItem reads an item out of decoded JSON (numbers being json.Number), or refuses it (ITEM-4).
func (e Edition) ReadItem(value any) (Item, error) {
	f := fieldsOf("item", value)
	if f.err != nil {
		return nil, f.err
	}
	kind := f.text("type")
	read, known := readers[kind]
	if e == November2026 && kind == "function_call_output" {
		read = readFreeFunctionCallOutput
	}
	if !known {
		return &Other{Type: "other"}, f.err // ITEM-2
	}
	f.of = kind
	item := read(kind, f)
	return item, f.err
}

// ReadEnvelope reads an item and its metadata.
func (e Edition) ReadEnvelope(value any) (Envelope, error) {
	f := fieldsOf("envelope", value)
	if f.err != nil {
		return Envelope{}, f.err
	}
	metadata, success := f.objectOrAbsent("metadata"), successOrAbsent(f)
	if f.err != nil {
		return Envelope{}, f.err
	}
	item, err := e.ReadItem(f.required("item"))
	if !keepsSuccess(item) {
		success = nil
	}
	return Envelope{item, metadata, success}, err
}

func successOrAbsent(f *fields) *bool {
	value := f.values["success"]
	if value == nil {
		return nil
	}
	success, isBool := value.(bool)
	if !isBool {
		f.refuse("success", "must be a boolean")
	}
	return &success
}

func readMessage(kind string, f *fields) Item {
	return &Message{
		Type:    kind,
		ID:      f.textOrAbsent("id"),
		Role:    f.text("role"),
		Content: entries(f, "content", f.list("content"), "input_text", "input_image", "input_audio", "output_text"),
		Phase:   f.oneOfOrAbsent("phase", "commentary", "final_answer"),
		Meta:    meta(f),
	}
}

func readAgentMessage(kind string, f *fields) Item {
	return &AgentMessage{
		Type:      kind,
		ID:        f.textOrAbsent("id"),
		Author:    f.text("author"),
		Recipient: f.text("recipient"),
		Content:   entries(f, "content", f.list("content"), "input_text", "encrypted_content"),
		Meta:      meta(f),
	}
}

func readReasoning(kind string, f *fields) Item {
	return &Reasoning{
		Type:             kind,
		ID:               f.textOrAbsent("id"),
		Summary:          entries(f, "summary", f.list("summary"), "summary_text"),
		Content:          reasoningContent(f),
		EncryptedContent: f.textOrAbsent("encrypted_content"),
		Meta:             meta(f),
	}
}

// reasoningContent gives what is written: null when absent, else nothing unless there is a
// reasoning_text (ITEM-7).
func reasoningContent(f *fields) any {
	if f.values["content"] == nil {
		return json.RawMessage("null")
	}
	content := entries(f, "content", f.list("content"), "reasoning_text", "text")
	for _, entry := range content {
		if entry.Type == "reasoning_text" {
			return content
		}
	}
	return nil
}

func readFunctionCall(kind string, f *fields) Item {
	return &FunctionCall{
		Type:                  kind,
		ID:                    f.textOrAbsent("id"),
		Name:                  f.text("name"),
		Namespace:             f.textOrAbsent("namespace"),
		Arguments:             f.text("arguments"),
		EncryptedFunctionArgs: f.textsOrAbsent("encrypted_function_args"),
		CallID:                f.text("call_id"),
		Meta:                  meta(f),
	}
}

func readFunctionCallOutput(kind string, f *fields) Item {
	return &FunctionCallOutput{
		Type:   kind,
		ID:     f.textOrAbsent("id"),
		CallID: f.textHere("call_id"),
		Output: body(f),
		Meta:   meta(f),
	}
}

// readFreeFunctionCallOutput is how edition 2026-11 reads it (E11-1).
func readFreeFunctionCallOutput(kind string, f *fields) Item {
	return &FunctionCallOutput{
		Type:      kind,
		ID:        f.textOrAbsent("id"),
		CallID:    f.textOrAbsent("call_id"),
		Name:      f.textOrAbsent("name"),
		Namespace: f.textOrAbsent("namespace"),
		Output:    body(f),
		Meta:      meta(f),
	}
}

func readCustomToolCall(kind string, f *fields) Item {
	return &CustomToolCall{
		Type:      kind,
		ID:        f.textOrAbsent("id"),
		Status:    f.textOrAbsent("status"),
		CallID:    f.text("call_id"),
		Name:      f.text("name"),
		Namespace: f.textOrAbsent("namespace"),
		Input:     f.text("input"),
		Meta:      meta(f),
	}
}

func readCustomToolCallOutput(kind string, f *fields) Item {
	return &CustomToolCallOutput{
		Type:   kind,
		ID:     f.textOrAbsent("id"),
		CallID: f.text("call_id"),
		Name:   f.textOrAbsent("name"),
		Output: body(f),
		Meta:   meta(f),
	}
}

func readToolSearchCall(kind string, f *fields) Item {
	return &ToolSearchCall{
		Type:      kind,
		ID:        f.textOrAbsent("id"),
		CallID:    f.textOrAbsent("call_id"),
		Status:    f.textOrAbsent("status"),
		Execution: f.text("execution"),
		Arguments: f.required("arguments"),
		Meta:      meta(f),
	}
}

func readToolSearchOutput(kind string, f *fields) Item {
	return &ToolSearchOutput{
		Type:      kind,
		ID:        f.textOrAbsent("id"),
		CallID:    f.textOrAbsent("call_id"),
		Status:    f.text("status"),
		Execution: f.text("execution"),
		Tools:     f.list("tools"),
		Meta:      meta(f),
	}
}

func readLocalShellCall(kind string, f *fields) Item {
	return &LocalShellCall{
		Type:   kind,
		ID:     f.textOrAbsent("id"),
		CallID: f.textOrAbsent("call_id"),
		Status: f.oneOf("status", "completed", "in_progress", "incomplete"),
		Action: shellAction(f),
		Meta:   meta(f),
	}
}

func shellAction(f *fields) (action ShellAction) {
	f.sub("action", f.required("action"), func(f *fields) {
		action = ShellAction{
			Type:             f.oneOf("type", "exec"),
			Command:          f.texts("command"),
			TimeoutMS:        f.wholeNumberOrAbsent("timeout_ms"),
			WorkingDirectory: f.textOrAbsent("working_directory"),
			Env:              f.textMapOrAbsent("env"),
			User:             f.textOrAbsent("user"),
		}
	})
	return action
}

func readWebSearchCall(kind string, f *fields) Item {
	return &WebSearchCall{
		Type:   kind,
		ID:     f.textOrAbsent("id"),
		Status: f.textOrAbsent("status"),
		Action: webSearchAction(f),
		Meta:   meta(f),
	}
}

func webSearchAction(f *fields) *WebSearchAction {
	if f.values["action"] == nil {
		return nil
	}
	action := &WebSearchAction{}
	f.sub("action", f.values["action"], func(f *fields) {
		action.Type = f.text("type")
		switch action.Type {
		case "search":
			action.Query, action.Queries = f.textOrAbsent("query"), f.textsOrAbsent("queries")
		case "open_page":
			action.URL = f.textOrAbsent("url")
		case "find_in_page":
			action.URL, action.Pattern = f.textOrAbsent("url"), f.textOrAbsent("pattern")
		default:
			action.Type = "other"
		}
	})
	return action
}

func readImageGenerationCall(kind string, f *fields) Item {
	return &ImageGenerationCall{
		Type:          kind,
		ID:            f.textOrAbsent("id"),
		Status:        f.text("status"),
		RevisedPrompt: f.textOrAbsent("revised_prompt"),
		Result:        f.text("result"),
		Meta:          meta(f),
	}
}

func readAdditionalTools(kind string, f *fields) Item {
	return &AdditionalTools{Type: kind, ID: f.textOrAbsent("id"), Role: f.text("role"), Tools: f.list("tools")}
}

func readCompaction(_ string, f *fields) Item {
	return &Compaction{
		Type:             "compaction", // whichever of its two names it came by
		ID:               f.textOrAbsent("id"),
		EncryptedContent: f.text("encrypted_content"),
		Meta:             meta(f),
	}
}

func readContextCompaction(kind string, f *fields) Item {
	return &ContextCompaction{
		Type:             kind,
		ID:               f.textOrAbsent("id"),
		EncryptedContent: f.textOrAbsent("encrypted_content"),
		Meta:             meta(f),
	}
}

func readCompactionTrigger(kind string, _ *fields) Item { return &CompactionTrigger{Type: kind} }

func meta(f *fields) *Meta {
	const key = "internal_chat_message_metadata_passthrough"
	if f.values[key] == nil {
		return nil
	}
	found := &Meta{}
	f.sub(key, f.values[key], func(f *fields) {
		found.TurnID, found.CreateTime = f.textOrAbsent("turn_id"), f.numberOrAbsent("create_time")
	})
	return found
}

func body(f *fields) Body {
	switch value := f.required("output").(type) {
	case string:
		return value
	case []any:
		return entries(f, "output", value, "input_text", "input_image", "input_audio", "encrypted_content")
	default:
		f.refuse("output", "must be a string or an array")
		return nil
	}
}

// entries reads content whose entries are of the kinds allowed where it stands.
func entries(f *fields, key string, list []any, kinds ...string) []Entry {
	content := make([]Entry, len(list))
	for i, value := range list {
		f.sub(key, value, func(f *fields) { content[i] = entry(f, kinds) })
	}
	return content
}

func entry(f *fields, kinds []string) Entry {
	found := Entry{Type: f.oneOf("type", kinds...)}
	switch found.Type {
	case "input_image":
		found.ImageURL = f.textHere("image_url")
		found.Detail = f.oneOfOrAbsent("detail", "auto", "low", "high", "original")
	case "input_audio":
		found.AudioURL = f.textHere("audio_url")
	case "encrypted_content":
		found.EncryptedContent = f.textHere("encrypted_content")
	default:
		found.Text = f.textHere("text")
	}
	return found
}
