package main

import (
	"regexp"
	"unicode/utf8"
)

var (
	wholeEscape = regexp.MustCompile(`\\(?:[^u]|u[dD][89abAB]..\\u[dD][c-fC-F]..)`)
	halfAPair   = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
)

// isUnicode tells whether JSON text holds whole characters only: encoding/json reads bad UTF-8 and
// half a surrogate pair as U+FFFD without a word, and so another string than was sent.
func isUnicode(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	return !halfAPair.Match(text) || !halfAPair.Match(wholeEscape.ReplaceAll(text, nil))
}
