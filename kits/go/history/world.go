package history

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// A WorldReport is what a consumer is told of the world: a whole state, or a merge patch.
type WorldReport struct {
	Full  bool `json:"full"`
	State any  `json:"state,omitempty"`
	Patch any  `json:"patch,omitempty"`
}

// UpdateWorld reports what is new about the world, nil if nothing, and makes it the baseline (WORLD-1
// to WORLD-3).
func (h *History) UpdateWorld(state any) *WorldReport {
	before := h.baseline
	h.baseline = state
	if before == nil {
		return &WorldReport{Full: true, State: state}
	}
	patch, changed := mergePatch(before, state)
	if !changed {
		return nil
	}
	return &WorldReport{Patch: patch}
}

// Baseline gives the world state last reported, nil if none.
func (h *History) Baseline() any { return h.baseline }

// SetBaseline sets the world state last reported; nil clears it.
func (h *History) SetBaseline(state any) { h.baseline = state }

// mergePatch gives the minimal RFC 7396 patch between two values, and whether they differ (WORLD-2).
func mergePatch(before, after any) (patch any, changed bool) {
	was, wasObject := before.(map[string]any)
	is, isObject := after.(map[string]any)
	if !wasObject || !isObject {
		return after, !sameJSON(before, after)
	}
	differences := make(map[string]any)
	for key := range was {
		if _, kept := is[key]; !kept {
			differences[key] = nil
		}
	}
	for key, value := range is {
		previous, known := was[key]
		if !known {
			differences[key] = value
		} else if difference, changed := mergePatch(previous, value); changed {
			differences[key] = difference
		}
	}
	return differences, len(differences) > 0
}

// sameJSON is equality of JSON values, in which 1, 1.0 and true differ (WORLD-7).
func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, isObject := b.(map[string]any)
		return isObject && sameObject(a, b)
	case []any:
		b, isArray := b.([]any)
		return isArray && sameArray(a, b)
	case json.Number:
		b, isNumber := b.(json.Number)
		return isNumber && sameNumber(a.String(), b.String())
	}
	switch b.(type) {
	case map[string]any, []any:
		return false // which Go cannot compare
	}
	return a == b
}

func sameObject(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for key, value := range a {
		other, present := b[key]
		if !present || !sameJSON(value, other) {
			return false
		}
	}
	return true
}

func sameArray(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameJSON(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if isInteger(a) != isInteger(b) {
		return false
	}
	if isInteger(a) {
		x, _ := new(big.Int).SetString(a, 10)
		y, _ := new(big.Int).SetString(b, 10)
		return x.Cmp(y) == 0
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x == y
}

func isInteger(number string) bool { return !strings.ContainsAny(number, ".eE") }
