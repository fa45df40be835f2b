// Package history is a context history as the specification describes it in two editions, written
// from that text alone. Ids in comments (PAIR-6) are the specification's clauses.
package history

import "context-adapter/faults"

// A History holds what was recorded. Make one with New; it is used by one goroutine at a time.
//
// Items are never written to, and neither is a part of an array of envelopes that someone else may
// hold: every list that is handed out or cut short has no capacity left, so that appending to it
// moves it elsewhere (SNAP-1, SNAP-2).
type History struct {
	edition   Edition
	envelopes []Envelope
	version   uint64
	baseline  any // the world state last reported; nil: none
	reference any
	tokenInfo any
}

// New gives an empty history (VER-1). Its list is not nil, which JSON would show as null.
func New(edition Edition) *History { return &History{edition: edition, envelopes: []Envelope{}} }

// Clone gives a history that behaves the same from here on, independently (SNAP-1, SNAP-3).
func (h *History) Clone() *History {
	if faults.On(faults.CloneSharesState) {
		return h
	}
	clone := *h
	clone.envelopes = h.Envelopes()
	return &clone
}

// Envelopes gives what is there now.
func (h *History) Envelopes() []Envelope { return clipped(h.envelopes) }

// Version counts the rewrites (VER-2).
func (h *History) Version() uint64 { return h.version }

// Reference gives the reference context.
func (h *History) Reference() any { return h.reference }

// SetReference sets the reference context (REF-1).
func (h *History) SetReference(value any) { h.reference = value }

// TokenInfo gives the usage record.
func (h *History) TokenInfo() any { return h.tokenInfo }

// SetTokenInfo sets the usage record.
func (h *History) SetTokenInfo(value any) { h.tokenInfo = value }

// clipped gives the same list without room to append in place.
func clipped(envelopes []Envelope) []Envelope { return envelopes[:len(envelopes):len(envelopes)] }

// Items gives the items of envelopes.
func Items(envelopes []Envelope) []Item {
	items := make([]Item, len(envelopes))
	for i, envelope := range envelopes {
		items[i] = envelope.Item
	}
	return items
}

// Bare gives items as envelopes without metadata.
func Bare(items []Item) []Envelope {
	envelopes := make([]Envelope, len(items))
	for i, item := range items {
		envelopes[i].Item = item
	}
	return envelopes
}
