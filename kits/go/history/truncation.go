package history

import (
	"fmt"
	"unicode/utf8"

	"context-adapter/faults"
)

// MaxLimit is a limit that everything keeps to, and small enough to count with.
const MaxLimit = 1 << 56

// A Policy limits the body of an output to a number of bytes, or of tokens of four bytes each. The
// limit is at most MaxLimit.
type Policy struct {
	Tokens bool
	Limit  int
}

const bytesPerToken = 4

// enlarged gives the limit that is really applied (TRUNC-1).
func (p Policy) enlarged() Policy { return Policy{p.Tokens, ceilDiv(6*p.Limit, 5)} }

func ceilDiv(dividend, divisor int) int { return (dividend + divisor - 1) / divisor }

// applied gives what a policy means in an edition: the later one counts in tokens always (E11-4).
func (e Edition) applied(policy Policy) Policy {
	limit := policy.enlarged()
	if e == November2026 && !limit.Tokens {
		return Policy{true, ceilDiv(limit.Limit, bytesPerToken)}
	}
	return limit
}

// bytes gives the budget of a text in bytes.
func (p Policy) bytes() int {
	if p.Tokens {
		return bytesPerToken * p.Limit
	}
	return p.Limit
}

// body gives a body that keeps to the limit.
func (p Policy) body(body Body) Body {
	switch body := body.(type) {
	case string:
		return p.text(body)
	case []Entry:
		return p.entries(body)
	}
	return body
}

// text truncates in the middle and splits no character (TRUNC-2 to TRUNC-6).
func (p Policy) text(text string) string {
	budget := p.bytes()
	if text == "" || budget > 0 && len(text) <= budget {
		return text
	}
	left := budget / 2
	prefix := left
	for prefix > 0 && !utf8.RuneStart(text[prefix]) {
		prefix--
	}
	suffix := max(prefix, len(text)-(budget-left))
	for suffix < len(text) && !utf8.RuneStart(text[suffix]) {
		suffix++
	}
	return text[:prefix] + p.marker(text, text[prefix:suffix], budget) + text[suffix:]
}

func (p Policy) marker(text, removed string, budget int) string {
	if p.Tokens && faults.On(faults.MarkerCountsRemoved) {
		budget = len(text) - len(removed)
	}
	if p.Tokens {
		return fmt.Sprintf("…%d tokens truncated…", ceilDiv(len(text)-budget, bytesPerToken)) // TRUNC-6
	}
	return fmt.Sprintf("…%d chars truncated…", utf8.RuneCountInString(removed)) // TRUNC-5
}

// entries spends a running budget, and counts what it omits (TRUNC-7 to TRUNC-10).
func (p Policy) entries(entries []Entry) []Entry {
	kept := make([]Entry, 0, len(entries))
	texts, audios := 0, 0
	for _, entry := range entries {
		switch entry.Type {
		case "input_text":
			if p.Limit == 0 {
				texts++
				continue
			}
			if cost := p.textCost(*entry.Text); cost <= p.Limit {
				p.Limit -= cost
			} else {
				entry = inputText(p.text(*entry.Text))
				p.Limit = 0
			}
		case "input_audio":
			cost := p.audioCost(*entry.AudioURL)
			if cost > p.Limit {
				audios++
				continue
			}
			p.Limit -= cost
		}
		kept = append(kept, entry) // TRUNC-8: images and encrypted content cost nothing
	}
	if texts > 0 {
		kept = append(kept, inputText(fmt.Sprintf("[omitted %d text items ...]", texts)))
	}
	if audios > 0 {
		kept = append(kept, inputText(fmt.Sprintf("[omitted %d audio items ...]", audios)))
	}
	return kept
}

func (p Policy) textCost(text string) int {
	if p.Tokens {
		return ceilDiv(len(text), bytesPerToken)
	}
	return len(text)
}

// audioCost is the token estimate of audio that is not decoded here (TRUNC-9).
func (p Policy) audioCost(url string) int {
	tokens := ceilDiv(len(url), bytesPerToken)
	if p.Tokens {
		return tokens
	}
	return bytesPerToken * tokens
}
