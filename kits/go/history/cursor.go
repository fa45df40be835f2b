package history

import "context-adapter/faults"

// A Cursor says how far a reader of the transcript has come (CUR-1).
type Cursor struct {
	Version uint64 `json:"history_version"`
	Count   uint64 `json:"entry_count"`
}

// A Transcript is what a reader gets: everything, or what it has not seen, and its new cursor.
type Transcript struct {
	Kind    string `json:"kind"`
	Entries []Item `json:"entries"`
	Cursor  Cursor `json:"cursor"`
}

// ReadTranscript reads on from a cursor, nil for none (CUR-1, CUR-2). Every item is an entry.
func (h *History) ReadTranscript(cursor *Cursor) Transcript {
	now := Cursor{h.version, uint64(len(h.envelopes))}
	sameVersion := faults.On(faults.DeltaAfterReplace) || cursor != nil && cursor.Version == now.Version
	if cursor == nil || !sameVersion || cursor.Count > now.Count {
		return Transcript{"full", Items(h.envelopes), now}
	}
	return Transcript{"delta", Items(h.envelopes[cursor.Count:]), now}
}
