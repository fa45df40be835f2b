package history

import (
	"crypto/sha1"

	"context-adapter/faults"
)

// namespace of the ids of synthetic outputs (SYN-1): 90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4.
var namespace = []byte{
	0x90, 0xd3, 0x8d, 0x3e, 0x6a, 0x5b, 0x4d, 0x52, 0xbf, 0xe2, 0x2f, 0x1e, 0x63, 0x4b, 0xfa, 0xc4,
}

// synthetic gives the output that an unanswered call gains, and nothing besides (PAIR-1 to PAIR-4,
// PAIR-12).
func synthetic(call Item, callID string) Item {
	switch call := call.(type) {
	case *FunctionCall:
		return abortedFunction(call.ID, callID)
	case *LocalShellCall:
		return abortedFunction(call.ID, callID)
	case *CustomToolCall:
		return &CustomToolCallOutput{
			Type: "custom_tool_call_output", ID: syntheticID("ctco", call.ID, callID), CallID: callID, Output: "aborted",
		}
	case *ToolSearchCall:
		return &ToolSearchOutput{
			Type: "tool_search_output", ID: syntheticID("tso", call.ID, callID), CallID: &callID,
			Status: "completed", Execution: "client", Tools: []any{},
		}
	}
	panic("only a call gains an output")
}

func abortedFunction(callItemID *string, callID string) Item {
	return &FunctionCallOutput{
		Type: "function_call_output", ID: syntheticID("fco", callItemID, callID), CallID: &callID, Output: "aborted",
	}
}

// syntheticID gives the id of a synthetic output from the item id of its call, and from nothing else
// (SYN-1 to SYN-4).
func syntheticID(prefix string, callItemID *string, callID string) *string {
	if callItemID == nil || *callItemID == "" {
		return nil
	}
	seed := *callItemID
	if faults.On(faults.CallIDInSyntheticID) {
		seed = callID
	}
	id := prefix + "_" + uuid5(prefix+":"+seed)
	return &id
}

func uuid5(name string) string {
	digest := sha1.New()
	digest.Write(namespace)
	digest.Write([]byte(name))
	return uuidText(digest.Sum(nil)[:16], 5)
}
