package history

import (
	"math"

	"context-adapter/faults"
)

// Replace installs exactly the given items (REPL-1); token info and reference context stay (REPL-2).
func (h *History) Replace(items []Item) {
	h.envelopes = Bare(items)
	h.rewritten()
}

// rewritten tells consumers that the items are not what they were (VER-2, WORLD-5).
func (h *History) rewritten() {
	if h.version < math.MaxUint64 {
		h.version++
	}
	h.baseline = nil
}

// RemoveFirst drops the oldest item, and at most one counterpart: the first from the front (HEAD-1,
// HEAD-2). The version stays (VER-3).
func (h *History) RemoveFirst() {
	if len(h.envelopes) == 0 {
		return
	}
	first, rest := h.envelopes[0].Item, clipped(h.envelopes[1:])
	for i := counterpart(first, rest); i >= 0; i = counterpart(first, rest) {
		rest = append(clipped(rest[:i]), rest[i+1:]...)
		if !faults.On(faults.HeadRemovesAllMatches) {
			break
		}
	}
	h.envelopes = rest
	h.baseline = nil // WORLD-5
}

// counterpart gives the index of what goes with an item, or -1 (HEAD-3 to HEAD-7).
func counterpart(item Item, rest []Envelope) int {
	if call, isCall := callOf(item); isCall {
		return indexOf(rest, outputOf, call.answeredBy())
	}
	output, isOutput := outputOf(item)
	if !isOutput {
		return -1
	}
	i := indexOf(rest, callOf, output)
	if i < 0 && output.family == function { // HEAD-4
		i = indexOf(rest, callOf, pair{localShell, output.callID})
	}
	return i
}

func indexOf(envelopes []Envelope, pairOf func(Item) (pair, bool), wanted pair) int {
	for i, envelope := range envelopes {
		if found, isPair := pairOf(envelope.Item); isPair && found == wanted {
			return i
		}
	}
	return -1
}
