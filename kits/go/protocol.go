// The adapter protocol, version 1: JSON-RPC 2.0, one message a line. It knows nothing of any history.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

type success struct {
	OK          any      `json:"ok"`
	Diagnostics []string `json:"diagnostics,omitempty"`
}

// serve answers every line of in with one Write to out, until shutdown or the end of input.
func serve(in io.Reader, out io.Writer, subject implementation) error {
	lines := bufio.NewReaderSize(in, 1<<16) // no Scanner: a line may have any length
	for {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer, last := respond(line, subject)
			if err := write(out, answer); err != nil || last {
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
	if err := decoder.Decode(&request); err != nil {
		return failure(nil, -32700, err.Error()), false
	}
	id, params := request["id"], asObject(request["params"])
	switch method := request["method"]; method {
	case "initialize":
		return result(id, subject.initialize(params)), false
	case "run":
		return result(id, object{"outcomes": run(subject.start(), params)}), false
	case "shutdown":
		return result(id, nil), true
	default:
		return failure(id, -32601, fmt.Sprintf("no method %v", method)), false
	}
}

func run(state script, params object) []any {
	ops, _ := params["ops"].([]any)
	outcomes := make([]any, 0, len(ops)) // never nil, which would be written as null
	for _, op := range ops {
		outcome, panicked := perform(state, asObject(op))
		outcomes = append(outcomes, outcome)
		if panicked && params["continue_after_panic"] != true {
			break
		}
	}
	return outcomes
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
	}
	return success{value, diagnostics}, false
}

func asObject(value any) object { found, _ := value.(object); return found }

func result(id, value any) object { return object{"jsonrpc": "2.0", "id": id, "result": value} }

func failure(id any, code int, message string) object {
	return object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": message}}
}

func write(out io.Writer, answer object) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("an answer has no JSON text: %w", err)
	}
	_, err := out.Write(line.Bytes())
	return err
}
