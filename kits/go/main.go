// Command context-adapter lets contextcert ask a context history written in Go.
package main

import (
	"fmt"
	"os"

	"context-adapter/faults"
)

func main() {
	if err := faults.Read(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := serve(os.Stdin, faults.Answers(os.Stdout), &adapter{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
