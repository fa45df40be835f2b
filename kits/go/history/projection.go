package history

import (
	"slices"
	"strings"

	"context-adapter/faults"
)

// Modalities are those that the model takes; text is never asked for (AUD-5).
type Modalities struct{ Image, Audio bool }

// Prompt gives the items to send, each with its metadata (PROJ-5), and the anomalies reported on the
// way (MODE-7). A debug build panics at the first of them instead (MODE-3, MODE-6). The history stays
// as it was, panic or not (PROJ-1, MODE-8).
func (h *History) Prompt(modalities Modalities) (prompt []Envelope, reported []string) {
	report := func(anomaly string) { reported = append(reported, raise(anomaly)) }
	completed := complete(h.envelopes, report)
	if faults.On(faults.RepairWrittenBack) {
		h.envelopes = completed
	}
	if slices.ContainsFunc(h.envelopes, isAgentMessage) {
		faults.Meet()
	}
	kept := withoutOrphans(completed, report)
	prompt = downgraded(kept, modalities)
	if h.edition == November2026 {
		for i, envelope := range prompt {
			prompt[i].Item = idShown(envelope.Item)
		}
	}
	return prompt, reported
}

// raise is where debug and release differ (MODE-1).
func raise(anomaly string) string {
	switch {
	case Mode == "debug" && faults.On(faults.AnotherPanicMessage):
		panic("broken history: " + anomaly)
	case Mode == "debug" && !faults.On(faults.NoPanicInDebug),
		faults.On(faults.ReleasePanics) && strings.HasPrefix(anomaly, "Custom"):
		panic(anomaly)
	}
	return anomaly
}

// complete is step A: every unanswered call gains an output of its own, directly after it (PAIR-10,
// PAIR-14, ORD-2).
func complete(envelopes []Envelope, report func(string)) []Envelope {
	answered := answers(envelopes)
	completed := make([]Envelope, 0, len(envelopes))
	for i, envelope := range envelopes {
		completed = append(completed, envelope)
		call, isCall := callOf(envelope.Item)
		if faults.On(faults.AdjacentPairing) {
			answered = answers(envelopes[i:min(i+2, len(envelopes))])
		}
		if !isCall || answered[call.answeredBy()] || faults.On(faults.EmptyCallIDIsAbsent) && call.callID == "" {
			continue
		}
		switch call.family { // MODE-2: the other two are no anomaly
		case custom:
			report("Custom tool call output is missing for call id: " + call.callID)
		case localShell:
			report("Local shell call output is missing for call id: " + call.callID)
		}
		completed = append(completed, Envelope{Item: synthetic(envelope.Item, call.callID)})
	}
	return completed
}

// withoutOrphans is step B: outputs without a call go, and nothing else (ORPH-7).
func withoutOrphans(envelopes []Envelope, report func(string)) []Envelope {
	called := answerable(envelopes)
	kept := make([]Envelope, 0, len(envelopes))
	for _, envelope := range envelopes {
		if !isOrphan(envelope.Item, called) {
			kept = append(kept, envelope)
			continue
		}
		output, _ := outputOf(envelope.Item)
		switch output.family {
		case function:
			report("Orphan function call output for call id: " + output.callID)
			if faults.On(faults.OrphanKept) {
				kept = append(kept, envelope)
			}
		case custom:
			report("Orphan custom tool call output for call id: " + output.callID)
		case toolSearch:
			report("Orphan tool search output for call id: " + output.callID)
		}
	}
	return kept
}

func isAgentMessage(envelope Envelope) bool {
	_, is := envelope.Item.(*AgentMessage)
	return is
}
