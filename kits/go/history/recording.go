package history

import "context-adapter/faults"

// Record appends envelopes under a truncation policy, in order, without normalising them (REC-1 to
// REC-5).
func (h *History) Record(envelopes []Envelope, policy Policy) {
	limit := h.edition.applied(policy)
	if faults.On(faults.VersionBumpedByRecording) {
		h.version++
	}
	for _, envelope := range envelopes {
		if isRecorded(envelope.Item) {
			if h.edition == November2026 {
				envelope.Item = identified(taken(envelope.Item))
			}
			envelope.Item = truncated(envelope.Item, limit)
			h.envelopes = append(h.envelopes, envelope)
		}
	}
}

// Restore appends the items of a stored session, which keep the ids they have and gain none (E11-2).
func (h *History) Restore(items []Item) {
	for _, item := range items {
		if isRecorded(item) {
			h.envelopes = append(h.envelopes, Envelope{Item: taken(item)})
		}
	}
}

// isRecorded says what is kept (REC-2).
func isRecorded(item Item) bool {
	switch item := item.(type) {
	case *Message:
		return item.Role != "system"
	case *CompactionTrigger, *Other:
		return false
	}
	return true
}

// truncated gives an item whose body keeps to a limit: only function and custom outputs have one
// (REC-3), and nothing but the body changes (REC-7).
func truncated(item Item, limit Policy) Item {
	switch item := item.(type) {
	case *FunctionCallOutput:
		output := *item
		output.Output = limit.body(item.Output)
		return &output
	case *CustomToolCallOutput:
		output := *item
		output.Output = limit.body(item.Output)
		return &output
	}
	return item
}

// keepsSuccess says whose success flag is kept: that of the outputs with a body (ITEM-6).
func keepsSuccess(item Item) bool {
	switch item.(type) {
	case *FunctionCallOutput, *CustomToolCallOutput:
		return true
	}
	return false
}
