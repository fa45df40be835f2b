package main

import (
	"math"
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

// What is no request, or more than one, is refused with a reason, and nothing of it is performed.
func TestBadRequests(t *testing.T) {
	for line, reason := range map[string]string{
		`{"method":"run"}`:                                     `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"run","params":null}`:                       `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"run","params":[]}`:                         `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"initialize"}`:                              `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"run","params":{}}`:                         `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"run","params":{"ops":{}}}`:                 `"code":-32602,"message":"params must be an object, and for run have an array ops"`,
		`{"method":"shutdown"}{"method":"shutdown"}`:           `"code":-32700,"message":"there is more than one message on the line"`,
		`{"method":"shutdown"} xyz`:                            `"code":-32700,"message":"there is more than one message on the line"`,
		"{\"method\":\"run\",\"params\":{\"ops\":[\"\xff\"]}}": `"code":-32700,"message":"the line is no UTF-8"`,
	} {
		if got := answers(t, line)[0]; !strings.Contains(got, reason) {
			t.Errorf("%s: got %s", line, got)
		}
	}
}

// A pair of escapes is a character, and a backslash before "ud800" is only that.
func TestEscapes(t *testing.T) {
	op := `{"op":"set_token_info","value":"\ud83d\uDE00\\ud800"},{"op":"token_info"}`
	got := answers(t, `{"id":1,"method":"run","params":{"ops":[`+op+`]}}`)[0]
	wantSame(t, got, `{"id":1,"jsonrpc":"2.0","result":{"outcomes":[{"ok":null},{"ok":"😀\\ud800"}]}}`)
}

// An answer that JSON cannot hold is an error, and the next request is served.
func TestNoJSONAnswer(t *testing.T) {
	var out strings.Builder
	run := `{"id":1,"method":"run","params":{"ops":[{}]}}` + "\n"
	if err := serve(strings.NewReader(run+run), &out, unwritable{}); err != nil {
		t.Fatal(err)
	}
	want := `{"error":{"code":-32603,"message":"the answer has no JSON text: json: unsupported value: NaN"},"id":1,"jsonrpc":"2.0"}` + "\n"
	wantSame(t, out.String(), want+want)
}

type unwritable struct{}

func (u unwritable) initialize(object) any { return nil }
func (u unwritable) start() script         { return u }
func (u unwritable) perform(string, map[string]any) (any, []string, error) {
	return math.NaN(), nil, nil
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
	outcomes := run(panicking{}, []any{object{"op": "a"}, object{"op": "b"}}, false)["outcomes"].([]any)
	if len(outcomes) != 1 || outcomes[0].(object)["panic"] != "a" {
		t.Errorf("got %v", outcomes)
	}
	outcomes = run(panicking{}, []any{object{"op": "a"}, object{}}, true)["outcomes"].([]any)
	if len(outcomes) != 2 {
		t.Errorf("got %v", outcomes)
	}
}

type panicking struct{}

func (panicking) perform(operation string, _ map[string]any) (any, []string, error) { panic(operation) }
