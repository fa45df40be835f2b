package history

import "context-adapter/faults"

// Rollback drops the last turns instruction turns (SPEC 4.3).
func (h *History) Rollback(turns int) {
	if turns == 0 {
		return // ROLL-1
	}
	before := h.baseline
	h.rewritten()
	if faults.On(faults.BaselineKeptByRollback) {
		h.baseline = before
	}
	boundaries := boundaries(h.envelopes)
	if len(boundaries) == 0 {
		return // ROLL-3
	}
	cut := boundaries[max(0, len(boundaries)-turns)] // ROLL-4
	if cut == boundaries[0] {
		h.envelopes = withoutModelSwitch(clipped(h.envelopes[:cut]), turnID(h.envelopes[cut].Item)) // ROLL-7
		return
	}
	start, mixed := contextBefore(h.envelopes, cut)
	h.envelopes = clipped(h.envelopes[:start])
	if mixed && !faults.On(faults.MixedBundleKeepsReference) { // ROLL-6
		h.reference = nil
	}
}

// boundaries gives the indexes of the items that start an instruction turn.
func boundaries(envelopes []Envelope) []int {
	var found []int
	for i, envelope := range envelopes {
		if isBoundary(envelope.Item) {
			found = append(found, i)
		}
	}
	return found
}

// isBoundary is ROLL-2.
func isBoundary(item Item) bool {
	switch item := item.(type) {
	case *AgentMessage:
		return true
	case *Message:
		return item.Role == "user" && !isContextualUserContent(item.Content) ||
			item.Role == "assistant" && isInterAgentInstruction(item.Content)
	}
	return false
}

// contextBefore walks left from the cut over contextual messages, and says whether one of them was a
// mixed bundle (ROLL-5, ROLL-6). It never passes a boundary, for none is contextual.
func contextBefore(envelopes []Envelope, cut int) (start int, mixed bool) {
	for start = cut; start > 0; start-- {
		message, isMessage := envelopes[start-1].Item.(*Message)
		switch {
		case isMessage && message.Role == "user" && isContextualUserContent(message.Content):
		case isMessage && message.Role == "developer" && hasContextualEntry(message.Content):
			mixed = mixed || hasOtherEntry(message.Content)
		default:
			return start, mixed
		}
	}
	return start, mixed
}

// turnID gives the turn of a boundary, or "".
func turnID(item Item) string {
	var meta *Meta
	switch item := item.(type) {
	case *Message:
		meta = item.Meta
	case *AgentMessage:
		meta = item.Meta
	}
	if meta == nil || meta.TurnID == nil {
		return ""
	}
	return *meta.TurnID
}

// withoutModelSwitch is the cleanup of a first turn (ROLL-9).
func withoutModelSwitch(envelopes []Envelope, turn string) []Envelope {
	if turn == "" {
		return envelopes
	}
	kept := make([]Envelope, 0, len(envelopes))
	for _, envelope := range envelopes {
		message, isMessage := envelope.Item.(*Message)
		if isMessage && message.Role == "developer" && turnID(message) == turn {
			cleaned := *message
			cleaned.Content = entriesBut(message.Content, isModelSwitch)
			if len(cleaned.Content) == 0 {
				continue
			}
			envelope.Item = &cleaned
		}
		kept = append(kept, envelope)
	}
	return kept
}

func entriesBut(entries []Entry, unwanted func(Entry) bool) []Entry {
	kept := make([]Entry, 0, len(entries))
	for _, entry := range entries {
		if !unwanted(entry) {
			kept = append(kept, entry)
		}
	}
	return kept
}
