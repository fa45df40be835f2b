package history

import (
	"encoding/json"
	"strings"
	"testing"
)

// mustRead reads an item from JSON text.
func mustRead(t *testing.T, text string) Item {
	t.Helper()
	item, err := August2026.ReadItem(decoded(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return item
}

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// A synthetic output has the id of SPEC 2.3's vectors (SYN-1).
func TestSyntheticIDs(t *testing.T) {
	vectors := []struct{ prefix, callItemID, want string }{
		{"fco", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"},
		{"fco", "fc_existing", "fco_742749b0-3645-5d32-a172-676827826a07"},
		{"fco", "abc", "fco_54e052cc-70eb-5988-a407-53fa52816ad0"},
		{"fco", "lsh_1", "fco_37093384-5cd0-5813-8a86-723bfcccbbb2"},
		{"ctco", "ctc_1", "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522"},
		{"tso", "tsc_1", "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee"},
	}
	for _, v := range vectors {
		if got := *syntheticID(v.prefix, &v.callItemID, "c1"); got != v.want {
			t.Errorf("%s: got %s, want %s", v.callItemID, got, v.want)
		}
	}
}

// Without an item id, or with an empty one, there is no id (SYN-2).
func TestNoSyntheticID(t *testing.T) {
	empty := ""
	if syntheticID("fco", nil, "c1") != nil || syntheticID("fco", &empty, "c1") != nil {
		t.Error("an id was made of nothing")
	}
}

// Text is truncated as SPEC 3.2's worked examples are, whose limits stand before enlargement.
func TestTruncatedText(t *testing.T) {
	const alphabet, faces, accents = "abcdefghijklmnopqrstuvwxyz", "😀😀😀😀😀", "héllo wörld ünï"
	vectors := []struct {
		tokens bool
		limit  int
		text   string
		want   string
	}{
		{false, 10, alphabet, "abcdef…14 chars truncated…uvwxyz"},
		{false, 1, alphabet, "a…24 chars truncated…z"},
		{false, 0, alphabet, "…26 chars truncated…"},
		{false, 21, alphabet, alphabet},
		{true, 0, alphabet, "…7 tokens truncated…"},
		{true, 1, alphabet, "abcd…5 tokens truncated…wxyz"},
		{true, 5, alphabet, "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"},
		{true, 6, alphabet, alphabet},
		{false, 5, faces, "…5 chars truncated…"},
		{false, 10, faces, "😀…3 chars truncated…😀"},
		{false, 5, accents, "hé…11 chars truncated…nï"},
	}
	for _, v := range vectors {
		if got := (Policy{v.tokens, v.limit}).enlarged().text(v.text); got != v.want {
			t.Errorf("tokens %v, limit %d: got %q, want %q", v.tokens, v.limit, got, v.want)
		}
	}
}

// Arrays are truncated as SPEC 3.2's worked examples are.
func TestTruncatedArray(t *testing.T) {
	vectors := []struct {
		limit       int
		texts, want []string
	}{
		{5, []string{"aaaa", "bbbb", "cccc"}, []string{"aaaa", "b…2 chars truncated…b", "[omitted 1 text items ...]"}},
		{0, []string{"", "a"}, []string{"[omitted 2 text items ...]"}},
		{1, []string{"", ""}, []string{"", ""}},
	}
	for _, v := range vectors {
		body := make([]Entry, len(v.texts))
		for i, text := range v.texts {
			body[i] = inputText(text)
		}
		var got []string
		for _, entry := range (Policy{false, v.limit}).enlarged().entries(body) {
			got = append(got, *entry.Text)
		}
		if strings.Join(got, "|") != strings.Join(v.want, "|") {
			t.Errorf("limit %d: got %q, want %q", v.limit, got, v.want)
		}
	}
}

// Reading then writing keeps absent, null, "" and [] apart as the table of SPEC 1.1 says (ITEM-1,
// ITEM-3, ITEM-5, ITEM-7).
func TestWireForm(t *testing.T) {
	vectors := [][2]string{
		{`{"type":"tool_search_call","execution":"x","arguments":null}`,
			`{"type":"tool_search_call","call_id":null,"execution":"x","arguments":null}`},
		{`{"type":"custom_tool_call_output","id":"","call_id":"","name":null,"output":[]}`,
			`{"type":"custom_tool_call_output","id":"","call_id":"","output":[]}`},
		{`{"type":"reasoning","summary":[]}`, `{"type":"reasoning","summary":[],"content":null,"encrypted_content":null}`},
		{`{"type":"reasoning","summary":[],"content":[]}`, `{"type":"reasoning","summary":[],"encrypted_content":null}`},
		{`{"type":"compaction_summary","encrypted_content":"<&>"}`, `{"type":"compaction","encrypted_content":"<&>"}`},
		{`{"type":"Message"}`, `{"type":"other"}`},
	}
	for _, v := range vectors {
		var written strings.Builder
		encoder := json.NewEncoder(&written)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(mustRead(t, v[0])); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(written.String()); got != v[1] {
			t.Errorf("got  %s\nwant %s", got, v[1])
		}
	}
}

// An item is refused as a whole, with the name of the field (ITEM-4).
func TestUnreadableItems(t *testing.T) {
	vectors := [][2]string{
		{`{"type":"function_call","name":"n","arguments":"{}","CALL_ID":"c"}`, "call_id"}, // keys match exactly
		{`{"type":"message","role":"user","content":null}`, "content"},
		{`{"type":"message","role":"user","content":[{"type":"input_text"}]}`, "text"},
		{`{"type":"local_shell_call","status":"done","action":{"type":"exec","command":[]}}`, "status"},
		{`{"type":"function_call_output","call_id":"c","output":{}}`, "output"},
	}
	for _, v := range vectors {
		_, err := August2026.ReadItem(decoded(t, v[0]))
		if err == nil || !strings.Contains(err.Error(), `"`+v[1]+`"`) {
			t.Errorf("%s: got %v, want a word on %s", v[0], err, v[1])
		}
	}
}

// An anomaly stops a debug build with its message, and is reported by a release build (MODE-3, MODE-7).
func TestAnomaly(t *testing.T) {
	const message = "Orphan function call output for call id: c1"
	h := New(August2026)
	h.Replace([]Item{mustRead(t, `{"type":"function_call_output","call_id":"c1","output":"x"}`)})
	defer func() {
		if cause := recover(); Mode == "debug" && cause != message {
			t.Errorf("panic %v, want %s", cause, message)
		}
	}()
	prompt, reported := h.Prompt(Modalities{})
	if Mode == "debug" || len(prompt) != 0 || len(reported) != 1 || reported[0] != message {
		t.Errorf("got %v, %q", prompt, reported)
	}
}

// Only numbers written alike in kind are compared by value (WORLD-7).
func TestSameJSON(t *testing.T) {
	vectors := []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, false}, {`1`, `true`, false}, {`1.0`, `1.00`, true}, {`10.0`, `1e1`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`[1,{"a":null}]`, `[1,{"a":null}]`, true},
		{`{"a":null}`, `{}`, false}, {`[]`, `{}`, false},
	}
	for _, v := range vectors {
		if got := sameJSON(decoded(t, v.a), decoded(t, v.b)); got != v.same {
			t.Errorf("%s and %s: got %v", v.a, v.b, got)
		}
	}
}

// White space is Unicode's, letters fold in ASCII only, and malformed XML is no hook prompt (SPEC 4.4).
func TestUserFragments(t *testing.T) {
	vectors := map[string]bool{
		"\u2028<SKILL>x</skill>\u0085": true,
		"\ufeff<skill>x</skill>":       false,
		"<\u017fkill>x</skill>":        false,
		"<external_>x</external_>":     true,
		"<external_a>x</external_b>":   false,
		`<codex_internal_context source="a_1">` + "\n</codex_internal_context>": true,
		`<codex_internal_context source="1a"></codex_internal_context>`:         false,
		`<a hook_run_id='1'>x</a >`:                                             true,
		`<a hook_run_id=" ">x</a>`:                                              false,
		`<a hook_run_id="1">x</b>`:                                              false,
		`<a hook_run_id="1"/>`:                                                  false,
		`<a hook_run_id="1" b="2" b="3">x</a>`:                                  false,
		`<a b="2"hook_run_id="1">x</a>`:                                         false,
	}
	for text, want := range vectors {
		if got := isUserFragment(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// An instruction between agents has its keys, once, and agent paths where they belong (SPEC 4.6).
func TestInterAgentInstruction(t *testing.T) {
	const good = `"author":"/root/a","recipient":"/morpheus","content":"","trigger_turn":true`
	vectors := map[string]bool{
		` {` + good + `} `: true,
		`{` + good + `,"other_recipients":["/root"]}`:   true,
		`{` + good + `,"other_recipients":null}`:        false,
		`{` + good + `,"id":null,"x":1,"x":2}`:          true,
		`{` + good + `,"author":"/root/a"}`:             false,
		`{` + good + `} x`:                              false,
		`{"Author":"/root"}`:                            false,
		strings.Replace(`{`+good+`}`, "/a", "/root", 1): false,
	}
	for text, want := range vectors {
		if got := isInterAgentInstruction([]Entry{inputText(text)}); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
