// The adapter protocol, version 1: JSON-RPC 2.0, one message a line. It knows nothing of any history.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// errUnsupported marks an operation that the implementation does not know or cannot do.
var errUnsupported = errors.New("unsupported")

// A script is the state of one run. Its perform carries out one operation: a panic is caught here,
// an error refuses the operation, and errUnsupported says that there is none such.
type script interface {
	perform(operation string, fields map[string]any) (value any, diagnostics []string, err error)
}

// An implementation answers initialize, and starts a script from nothing for every run.
type implementation interface {
	initialize(params map[string]any) any
	start() script
}

type object = map[string]any

// serve answers every line of in with one Write to out, until shutdown or the end of input.
func serve(in io.Reader, out io.Writer, subject implementation) error {
	lines := bufio.NewReaderSize(in, 1<<16) // no Scanner: a line may have any length
	for {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer, last := respond(line, subject)
			if _, err := out.Write(encode(answer)); err != nil || last {
				return err
			}
		}
		if readErr != nil {
			return nil
		}
	}
}

func respond(line []byte, subject implementation) (answer object, last bool) {
	var request object // never a struct: its keys would match in any letter case
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber() // 1 and 1.0 stay apart, and large integers whole
	err := decoder.Decode(&request)
	_, end := decoder.Token()
	id, method, params := request["id"], request["method"], asObject(request["params"])
	ops, listed := params["ops"].([]any)
	switch {
	case err != nil:
		return failure(nil, -32700, err.Error()), false
	case end != io.EOF:
		return failure(nil, -32700, "there is more than one message on the line"), false
	case !utf8.Valid(line): // encoding/json would read it as U+FFFD without a word
		return failure(nil, -32700, "the line is no UTF-8"), false
	case method == "shutdown":
		return result(id, nil), true
	case method != "initialize" && method != "run":
		return failure(id, -32601, fmt.Sprintf("no method %v", method)), false
	case params == nil || method == "run" && !listed:
		return failure(id, -32602, "params must be an object, and for run have an array ops"), false
	case method == "initialize":
		return result(id, subject.initialize(params)), false
	}
	return result(id, run(subject.start(), ops, params["continue_after_panic"] == true)), false
}

func run(state script, ops []any, goOn bool) object {
	outcomes := make([]any, 0, len(ops)) // never nil, which would be written as null
	for _, op := range ops {
		outcome, panicked := perform(state, asObject(op))
		outcomes = append(outcomes, outcome)
		if panicked && !goOn {
			break
		}
	}
	return object{"outcomes": outcomes}
}

func perform(state script, op object) (outcome any, panicked bool) {
	defer func() {
		if cause := recover(); cause != nil {
			outcome, panicked = object{"panic": fmt.Sprint(cause)}, true
		}
	}()
	name, _ := op["op"].(string)
	value, diagnostics, err := state.perform(name, op)
	switch {
	case errors.Is(err, errUnsupported):
		return object{"unsupported": err.Error()}, false
	case err != nil:
		return object{"error": object{"message": err.Error()}}, false
	case len(diagnostics) > 0:
		return object{"ok": value, "diagnostics": diagnostics}, false
	}
	return object{"ok": value}, false
}

func asObject(value any) object { found, _ := value.(object); return found }

func result(id, value any) object { return object{"jsonrpc": "2.0", "id": id, "result": value} }

func failure(id any, code int, message string) object {
	return object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": message}}
}

func encode(answer object) []byte {
	line, err := json.Marshal(answer)
	if err != nil {
		return encode(failure(answer["id"], -32603, "the answer has no JSON text: "+err.Error()))
	}
	return append(line, '\n')
}
