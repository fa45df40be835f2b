package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"context-adapter/history"
)

// The fields of an operation, read strictly: an error refuses the operation before it has any effect.

func field[T any](fields map[string]any, key, kind string) (T, error) {
	value, good := fields[key].(T)
	if !good {
		return value, fmt.Errorf("%s must be %s", key, kind)
	}
	return value, nil
}

func text(fields map[string]any, key string) (string, error) {
	return field[string](fields, key, "a string")
}

func list(fields map[string]any, key string) ([]any, error) {
	return field[[]any](fields, key, "an array")
}

// whole reads a number without sign, fraction and exponent, up to a limit.
func whole(fields map[string]any, key string, limit uint64) (uint64, error) {
	number, _ := fields[key].(json.Number)
	count, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil || count > limit {
		return 0, fmt.Errorf("%s must be a whole number from 0 to %d", key, limit)
	}
	return count, nil
}

func count(fields map[string]any, key string) (int, error) {
	number, err := whole(fields, key, math.MaxUint32)
	return int(number), err
}

// handle reads the number of a history, 0 when absent.
func handle(fields map[string]any) (uint64, error) {
	if _, present := fields["on"]; !present {
		return 0, nil
	}
	return whole(fields, "on", math.MaxUint64)
}

// value reads a field that may hold anything, null too, but must be there.
func value(fields map[string]any, key string) (any, error) {
	found, present := fields[key]
	if !present {
		return nil, fmt.Errorf("%s is missing", key)
	}
	return found, nil
}

func items(fields map[string]any, edition history.Edition) ([]history.Item, error) {
	return each(fields, "items", edition.ReadItem)
}

func envelopes(fields map[string]any, edition history.Edition) ([]history.Envelope, error) {
	return each(fields, "envelopes", edition.ReadEnvelope)
}

func each[T any](fields map[string]any, key string, read func(any) (T, error)) ([]T, error) {
	values, err := list(fields, key)
	if err != nil {
		return nil, err
	}
	found := make([]T, len(values))
	for i, value := range values {
		if found[i], err = read(value); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", key, i, err)
		}
	}
	return found, nil
}

func policy(fields map[string]any) (history.Policy, error) {
	object, err := field[map[string]any](fields, "policy", "an object")
	if err != nil {
		return history.Policy{}, err
	}
	mode := object["mode"]
	if mode != "bytes" && mode != "tokens" {
		return history.Policy{}, fmt.Errorf("policy.mode must be bytes or tokens")
	}
	limit, err := whole(object, "limit", math.MaxUint64)
	return history.Policy{Tokens: mode == "tokens", Limit: int(min(limit, history.MaxLimit))}, err
}

func modalities(fields map[string]any) (history.Modalities, error) {
	names, err := list(fields, "input_modalities")
	for _, name := range names {
		if name != "text" && name != "image" && name != "audio" {
			return history.Modalities{}, fmt.Errorf("input_modalities: there is no modality %v", name)
		}
	}
	return history.Modalities{
		Image: slices.Contains(names, any("image")),
		Audio: slices.Contains(names, any("audio")),
	}, err
}

func cursor(fields map[string]any) (*history.Cursor, error) {
	if fields["cursor"] == nil {
		return nil, nil
	}
	object, err := field[map[string]any](fields, "cursor", "an object or null")
	if err != nil {
		return nil, err
	}
	version, err := position(object, "history_version")
	if err != nil {
		return nil, err
	}
	entries, err := position(object, "entry_count")
	return &history.Cursor{Version: version, Count: entries}, err
}

// position reads a whole number of any size; one that no history reaches becomes the largest there is.
func position(fields map[string]any, key string) (uint64, error) {
	number, _ := fields[key].(json.Number)
	found, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s must be a whole number", key)
	}
	return found, nil
}
