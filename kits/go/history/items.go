package history

// An Item is one Responses-API object: a pointer to one of the types below, read by ReadItem and
// never written to afterwards, so that histories, clones and prompts share it freely (SNAP-1, SNAP-2).
// The fields stand in output order. `omitempty` is on pointers only, where it drops what is absent
// and keeps "" and [] (ITEM-5); a slice that is always written is never nil.
type Item any

// An Envelope is an item and its metadata, which is never part of the wire form (ITEM-8).
type Envelope struct {
	Item     Item           `json:"item"`
	Metadata map[string]any `json:"metadata"`
	Success  *bool          `json:"success,omitempty"` // of an output (ITEM-6)
}

// Meta is the passthrough metadata.
type Meta struct {
	TurnID     *string `json:"turn_id,omitempty"`
	CreateTime any     `json:"create_time,omitempty"` // a json.Number
}

// An Entry is a piece of content; its Type says which fields it has.
type Entry struct {
	Type             string  `json:"type"`
	Text             *string `json:"text,omitempty"`
	ImageURL         *string `json:"image_url,omitempty"`
	Detail           *string `json:"detail,omitempty"`
	AudioURL         *string `json:"audio_url,omitempty"`
	EncryptedContent *string `json:"encrypted_content,omitempty"`
}

// A Body is what an output holds: a string, or an []Entry that is not nil.
type Body any

// The item types, in the order of the table of SPEC 1.1.
type (
	Message struct {
		Type    string  `json:"type"`
		ID      *string `json:"id,omitempty"`
		Role    string  `json:"role"`
		Content []Entry `json:"content"`
		Phase   *string `json:"phase,omitempty"`
		Meta    *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	AgentMessage struct {
		Type      string  `json:"type"`
		ID        *string `json:"id,omitempty"`
		Author    string  `json:"author"`
		Recipient string  `json:"recipient"`
		Content   []Entry `json:"content"`
		Meta      *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	Reasoning struct {
		Type             string  `json:"type"`
		ID               *string `json:"id,omitempty"`
		Summary          []Entry `json:"summary"`
		Content          any     `json:"content,omitempty"` // a null, nothing, or the entries (ITEM-7)
		EncryptedContent *string `json:"encrypted_content"`
		Meta             *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	FunctionCall struct {
		Type                  string    `json:"type"`
		ID                    *string   `json:"id,omitempty"`
		Name                  string    `json:"name"`
		Namespace             *string   `json:"namespace,omitempty"`
		Arguments             string    `json:"arguments"`
		EncryptedFunctionArgs *[]string `json:"encrypted_function_args,omitempty"`
		CallID                string    `json:"call_id"`
		Meta                  *Meta     `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	FunctionCallOutput struct {
		Type      string  `json:"type"`
		ID        *string `json:"id,omitempty"`
		CallID    *string `json:"call_id,omitempty"` // absent, and the next two there, only by E11-1
		Name      *string `json:"name,omitempty"`
		Namespace *string `json:"namespace,omitempty"`
		Output    Body    `json:"output"`
		Meta      *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	CustomToolCall struct {
		Type      string  `json:"type"`
		ID        *string `json:"id,omitempty"`
		Status    *string `json:"status,omitempty"`
		CallID    string  `json:"call_id"`
		Name      string  `json:"name"`
		Namespace *string `json:"namespace,omitempty"`
		Input     string  `json:"input"`
		Meta      *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	CustomToolCallOutput struct {
		Type   string  `json:"type"`
		ID     *string `json:"id,omitempty"`
		CallID string  `json:"call_id"`
		Name   *string `json:"name,omitempty"`
		Output Body    `json:"output"`
		Meta   *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	ToolSearchCall struct {
		Type      string  `json:"type"`
		ID        *string `json:"id,omitempty"`
		CallID    *string `json:"call_id"`
		Status    *string `json:"status,omitempty"`
		Execution string  `json:"execution"`
		Arguments any     `json:"arguments"`
		Meta      *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	ToolSearchOutput struct {
		Type      string  `json:"type"`
		ID        *string `json:"id,omitempty"`
		CallID    *string `json:"call_id"`
		Status    string  `json:"status"`
		Execution string  `json:"execution"`
		Tools     []any   `json:"tools"`
		Meta      *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	LocalShellCall struct {
		Type   string      `json:"type"`
		ID     *string     `json:"id,omitempty"`
		CallID *string     `json:"call_id"`
		Status string      `json:"status"`
		Action ShellAction `json:"action"`
		Meta   *Meta       `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	ShellAction struct {
		Type             string            `json:"type"`
		Command          []string          `json:"command"`
		TimeoutMS        any               `json:"timeout_ms"` // a json.Number, or nil
		WorkingDirectory *string           `json:"working_directory"`
		Env              map[string]string `json:"env"`
		User             *string           `json:"user"`
	}
	WebSearchCall struct {
		Type   string           `json:"type"`
		ID     *string          `json:"id,omitempty"`
		Status *string          `json:"status,omitempty"`
		Action *WebSearchAction `json:"action,omitempty"`
		Meta   *Meta            `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	WebSearchAction struct {
		Type    string    `json:"type"`
		Query   *string   `json:"query,omitempty"`
		Queries *[]string `json:"queries,omitempty"`
		URL     *string   `json:"url,omitempty"`
		Pattern *string   `json:"pattern,omitempty"`
	}
	ImageGenerationCall struct {
		Type          string  `json:"type"`
		ID            *string `json:"id,omitempty"`
		Status        string  `json:"status"`
		RevisedPrompt *string `json:"revised_prompt,omitempty"`
		Result        string  `json:"result"`
		Meta          *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	AdditionalTools struct {
		Type  string  `json:"type"`
		ID    *string `json:"id,omitempty"`
		Role  string  `json:"role"`
		Tools []any   `json:"tools"`
	}
	Compaction struct {
		Type             string  `json:"type"`
		ID               *string `json:"id,omitempty"`
		EncryptedContent string  `json:"encrypted_content"`
		Meta             *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	ContextCompaction struct {
		Type             string  `json:"type"`
		ID               *string `json:"id,omitempty"`
		EncryptedContent *string `json:"encrypted_content,omitempty"`
		Meta             *Meta   `json:"internal_chat_message_metadata_passthrough,omitempty"`
	}
	CompactionTrigger struct {
		Type string `json:"type"`
	}
	Other struct {
		Type string `json:"type"`
	}
)
