package main

import (
	"strings"
	"testing"
)

// answers gives the lines that the adapter answers to lines.
func answers(t *testing.T, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	if err := serve(strings.NewReader(strings.Join(lines, "\n")), &out, &adapter{}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func wantSame(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An unknown method is an error of JSON-RPC, and shutdown is the last answer.
func TestMethods(t *testing.T) {
	got := answers(t, `{"id":1,"method":"fly"}`, `{"id":2,"method":"shutdown"}`, `{"id":3,"method":"fly"}`)
	if len(got) != 2 {
		t.Fatalf("%d answers", len(got))
	}
	wantSame(t, got[0], `{"error":{"code":-32601,"message":"no method fly"},"id":1,"jsonrpc":"2.0"}`)
	wantSame(t, got[1], `{"id":2,"jsonrpc":"2.0","result":null}`)
}

// A line that is no JSON gets an answer, and the next line its own.
func TestNoJSON(t *testing.T) {
	got := answers(t, `{`, `{"id":2,"method":"shutdown"}`)
	if len(got) != 2 || !strings.Contains(got[0], "-32700") {
		t.Errorf("got %q", got)
	}
}

// Every run starts from nothing; what cannot be done is said, and the script goes on.
func TestOutcomes(t *testing.T) {
	run := `{"id":1,"method":"run","params":{"ops":[{"op":"fly"},{"op":"drop_last_n_user_turns","num_turns":1.0},` +
		`{"op":"replace","items":[]},{"op":"raw_envelopes"},{"op":"history_version"}]}}`
	for _, got := range answers(t, run, run) {
		wantSame(t, got, `{"id":1,"jsonrpc":"2.0","result":{"outcomes":[{"unsupported":"unsupported: there is no operation \"fly\""},`+
			`{"error":{"message":"num_turns must be a whole number from 0 to 4294967295"}},`+
			`{"ok":null},{"ok":[]},{"ok":1}]}}`)
	}
}

// A panic ends the script, unless it is to go on.
func TestPanic(t *testing.T) {
	outcomes := run(panicking{}, object{"ops": []any{object{"op": "a"}, object{"op": "b"}}})
	if len(outcomes) != 1 || outcomes[0].(object)["panic"] != "a" {
		t.Errorf("got %v", outcomes)
	}
	outcomes = run(panicking{}, object{"ops": []any{object{"op": "a"}, object{}}, "continue_after_panic": true})
	if len(outcomes) != 2 {
		t.Errorf("got %v", outcomes)
	}
}

type panicking struct{}

func (panicking) perform(operation string, _ map[string]any) (any, []string, error) { panic(operation) }
