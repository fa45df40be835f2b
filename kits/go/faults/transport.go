package faults

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"time"
)

var met bool

// Meet is called when a projection meets an agent message: the faults of the transport bite on the
// answer of such a script, or here and now.
func Meet() {
	met = true
	switch active {
	case Crash:
		fmt.Fprintln(os.Stderr, "crashed on purpose: CONTEXTCERT_FAULT=crash")
		os.Exit(3)
	case Hang:
		for { // select {} would be seen as a deadlock by the runtime, and end the process
			time.Sleep(time.Hour)
		}
	}
}

// Answers gives the place to write answers to, one a call, which may spoil them on the way.
func Answers(out io.Writer) io.Writer { return spoiler{out} }

type spoiler struct{ out io.Writer }

func (s spoiler) Write(answer []byte) (int, error) {
	spoiled := met
	met = false
	if !spoiled {
		return s.out.Write(answer)
	}
	switch active {
	case Garbage:
		answer = append([]byte("garbage on purpose: CONTEXTCERT_FAULT=garbage\n"), answer...)
	case WrongID:
		answer = withNextID(answer)
	case HalfLine:
		_, _ = s.out.Write(answer[:len(answer)/2])
		os.Exit(0)
	}
	return s.out.Write(answer)
}

var idMember = regexp.MustCompile(`"id":(\d+)`)

func withNextID(answer []byte) []byte {
	at := idMember.FindSubmatchIndex(answer)
	id, _ := strconv.Atoi(string(answer[at[2]:at[3]]))
	next := strconv.Itoa(id + 1)
	return []byte(string(answer[:at[2]]) + next + string(answer[at[3]:]))
}
