package history

import "context-adapter/faults"

// A family of calls and outputs (SPEC 1.2).
type family int

const (
	function family = iota
	localShell
	custom
	toolSearch
)

// A pair is what a call and its outputs have in common.
type pair struct {
	family family
	callID string // "" is an ordinary call_id (PAIR-11)
}

// answeredBy gives the pair of the outputs that answer a call: function and local shell calls share
// theirs (PAIR-8).
func (p pair) answeredBy() pair {
	if p.family == localShell {
		p.family = function
	}
	return p
}

// callOf gives the pair of a call that can be answered: none without call_id (PAIR-5).
func callOf(item Item) (call pair, isCall bool) {
	switch item := item.(type) {
	case *FunctionCall:
		return pair{function, item.CallID}, true
	case *CustomToolCall:
		return pair{custom, item.CallID}, true
	case *LocalShellCall:
		return pairOrNone(localShell, item.CallID)
	case *ToolSearchCall:
		return pairOrNone(toolSearch, item.CallID)
	}
	return pair{}, false
}

// outputOf gives the pair of an output that can answer.
func outputOf(item Item) (output pair, isOutput bool) {
	switch item := item.(type) {
	case *FunctionCallOutput:
		return pairOrNone(function, item.CallID)
	case *CustomToolCallOutput:
		return pair{custom, item.CallID}, true
	case *ToolSearchOutput:
		return pairOrNone(toolSearch, item.CallID)
	}
	return pair{}, false
}

func pairOrNone(family family, callID *string) (pair, bool) {
	if callID == nil {
		return pair{}, false
	}
	return pair{family, *callID}, true
}

// answers is the set of pairs that outputs answer, whatever their place or execution (PAIR-6, PAIR-9).
func answers(envelopes []Envelope) map[pair]bool {
	found := make(map[pair]bool)
	for _, envelope := range envelopes {
		if output, isOutput := outputOf(envelope.Item); isOutput {
			found[output] = true
			if faults.On(faults.FamiliesShareIDs) {
				found[pair{function, output.callID}] = true
				found[pair{custom, output.callID}] = true
				found[pair{toolSearch, output.callID}] = true
			}
		}
	}
	return found
}

// answerable is the set of pairs that have a call.
func answerable(envelopes []Envelope) map[pair]bool {
	found := make(map[pair]bool)
	for _, envelope := range envelopes {
		if call, isCall := callOf(envelope.Item); isCall {
			found[call.answeredBy()] = true
		}
	}
	return found
}

// isOrphan says of an output whether step B removes it (ORPH-1 to ORPH-5).
func isOrphan(item Item, called map[pair]bool) bool {
	output, isOutput := outputOf(item)
	if !isOutput || called[output] {
		return false
	}
	search, isSearch := item.(*ToolSearchOutput)
	return !isSearch || search.Execution != "server"
}
