package main

import (
	"fmt"
	"math"
	"os"

	"context-adapter/faults"
	"context-adapter/history"
)

// An adapter is the implementation in one process; the edition is what initialize asked for.
type adapter struct{ edition history.Edition }

// A state is one script's: its histories by handle, and what was handed out under a name.
type state struct {
	edition   history.Edition
	histories map[uint64]*history.History
	held      map[string][]history.Envelope
}

// YOUR CALLS START HERE

// initialize says who this is, what it claims and what can be seen of it.
func (a *adapter) initialize(params map[string]any) any {
	a.edition = history.August2026
	if params["edition"] == string(history.November2026) {
		a.edition = history.November2026
	}
	return map[string]any{
		"protocol":       1,
		"implementation": map[string]any{"name": "contextcert-kit-go", "version": "1.0.0", "language": "go"},
		"mode":           mode(),
		"editions":       []history.Edition{history.August2026, history.November2026},
		"claim": map[string]any{
			"profiles": []string{
				"projection", "media", "recording", "changes", "world", "cursor", "snapshots", "wire",
			},
			"item_types": []string{
				"message", "agent_message", "reasoning", "function_call", "function_call_output",
				"custom_tool_call", "custom_tool_call_output", "tool_search_call", "tool_search_output",
				"local_shell_call", "web_search_call", "image_generation_call", "additional_tools",
				"compaction", "context_compaction", "compaction_trigger",
			},
			"modalities": []string{"text", "image", "audio"},
		},
		"capabilities": map[string]bool{
			"diagnostics": true, "continue_after_panic": true, "success_flag": true, "exact_numbers": true,
			"restore_items": a.edition == history.November2026,
		},
	}
}

// mode gives this build's own, whatever was asked for.
func mode() string {
	if faults.On(faults.WrongMode) {
		return map[string]string{"debug": "release", "release": "debug"}[history.Mode]
	}
	return history.Mode
}

// start gives a script that knows of nothing before it.
func (a *adapter) start() script {
	return &state{a.edition, make(map[uint64]*history.History), make(map[string][]history.Envelope)}
}

// perform carries out one operation on the history that it names.
func (s *state) perform(operation string, fields map[string]any) (any, []string, error) {
	on, err := handle(fields)
	if err != nil {
		return nil, nil, err
	}
	h := s.history(on)
	switch operation {
	case "record_items":
		list, err := items(fields, s.edition)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, record(h, history.Bare(list), fields)
	case "record_annotated_items":
		list, err := envelopes(fields, s.edition)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, record(h, list, fields)
	case "for_prompt":
		prompt, reported, err := project(h, fields)
		return history.Items(prompt), reported, err
	case "for_prompt_annotated":
		prompt, reported, err := project(h, fields)
		return prompt, reported, err
	case "raw_items":
		return history.Items(h.Envelopes()), nil, nil
	case "raw_envelopes":
		return h.Envelopes(), nil, nil
	case "remove_first_item":
		h.RemoveFirst()
		return nil, nil, nil
	case "drop_last_n_user_turns":
		turns, err := count(fields, "num_turns")
		if err == nil {
			h.Rollback(turns)
		}
		return nil, nil, err
	case "replace":
		list, err := items(fields, s.edition)
		if err == nil {
			h.Replace(list)
		}
		return nil, nil, err
	case "restore_items":
		if s.edition == history.August2026 {
			return nil, nil, fmt.Errorf("%w: restore_items belongs to edition 2026-11", errUnsupported)
		}
		list, err := items(fields, s.edition)
		if err == nil {
			h.Restore(list)
		}
		return nil, nil, err
	case "history_version":
		return h.Version(), nil, nil
	case "clone":
		to, err := whole(fields, "to", math.MaxUint64)
		if err == nil && to != on {
			s.histories[to] = h.Clone()
		}
		return nil, nil, err
	case "hold":
		reported, err := s.hold(h, fields)
		return nil, reported, err
	case "held":
		name, err := text(fields, "name")
		if err != nil {
			return nil, nil, err
		}
		list, known := s.held[name]
		if !known {
			return nil, nil, fmt.Errorf("nothing is held under the name %q", name)
		}
		return history.Items(list), nil, nil
	case "set_reference_context_item":
		given, err := value(fields, "value")
		if err == nil {
			h.SetReference(given)
		}
		return nil, nil, err
	case "reference_context_item":
		return h.Reference(), nil, nil
	case "update_world_state":
		world, err := field[map[string]any](fields, "state", "an object")
		if err != nil {
			return nil, nil, err
		}
		return h.UpdateWorld(world), nil, nil
	case "set_world_state_baseline":
		given, err := value(fields, "state")
		if err == nil {
			h.SetBaseline(given)
		}
		return nil, nil, err
	case "world_state_baseline":
		return h.Baseline(), nil, nil
	case "set_token_info":
		given, err := value(fields, "value")
		if err == nil {
			h.SetTokenInfo(given)
		}
		return nil, nil, err
	case "token_info":
		return h.TokenInfo(), nil, nil
	case "read_transcript":
		from, err := cursor(fields)
		if err != nil {
			return nil, nil, err
		}
		return h.ReadTranscript(from), nil, nil
	}
	if faults.On(faults.UnknownOperationCrashes) {
		fmt.Fprintln(os.Stderr, "crashed on purpose: CONTEXTCERT_FAULT=unknown-operation-crashes")
		os.Exit(3)
	}
	return nil, nil, fmt.Errorf("%w: there is no operation %q", errUnsupported, operation)
}

// history gives the history of a handle, which starts empty.
func (s *state) history(on uint64) *history.History {
	if s.histories[on] == nil {
		s.histories[on] = history.New(s.edition)
	}
	return s.histories[on]
}

func record(h *history.History, list []history.Envelope, fields map[string]any) error {
	limit, err := policy(fields)
	if err == nil {
		h.Record(list, limit)
	}
	return err
}

func project(h *history.History, fields map[string]any) ([]history.Envelope, []string, error) {
	wanted, err := modalities(fields)
	if err != nil {
		return nil, nil, err
	}
	prompt, reported := h.Prompt(wanted)
	return prompt, reported, nil
}

// hold keeps what a reader was handed, to be read again later.
func (s *state) hold(h *history.History, fields map[string]any) (reported []string, err error) {
	name, err := text(fields, "name")
	if err != nil {
		return nil, err
	}
	switch what := fields["what"]; what {
	case "raw_items":
		s.held[name] = h.Envelopes()
	case "for_prompt":
		var prompt []history.Envelope
		if prompt, reported, err = project(h, fields); err == nil {
			s.held[name] = prompt
		}
	default:
		err = fmt.Errorf("what must be raw_items or for_prompt, not %v", what)
	}
	return reported, err
}

// YOUR CALLS END HERE
