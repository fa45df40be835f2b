package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// fields reads the fields of one JSON object, by exact key (ITEM-1), and keeps the first trouble: an
// object is read wholly or refused wholly (ITEM-4). An optional field reads null as absent (ITEM-3).
type fields struct {
	of     string // what is read, for the message
	values map[string]any
	err    error
}

func fieldsOf(of string, value any) *fields {
	values, isObject := value.(map[string]any)
	f := &fields{of: of, values: values}
	if !isObject {
		f.err = fmt.Errorf("%s: not an object", of)
	}
	return f
}

func (f *fields) refuse(key, trouble string) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: field %q %s", f.of, key, trouble)
	}
}

// required gives a field that must be there, be it null.
func (f *fields) required(key string) any {
	value, present := f.values[key]
	if !present {
		f.refuse(key, "is missing")
	}
	return value
}

func (f *fields) text(key string) string {
	value := f.required(key)
	text, isText := value.(string)
	if !isText {
		f.refuse(key, "must be a string")
	}
	return text
}

// textHere is text by reference, for the fields that an entry may or may not have.
func (f *fields) textHere(key string) *string {
	text := f.text(key)
	return &text
}

func (f *fields) textOrAbsent(key string) *string {
	if f.values[key] == nil {
		return nil
	}
	return f.textHere(key)
}

func (f *fields) oneOf(key string, names ...string) string {
	name := f.text(key)
	if !slices.Contains(names, name) {
		f.refuse(key, fmt.Sprintf("has no value %q", name))
	}
	return name
}

func (f *fields) oneOfOrAbsent(key string, names ...string) *string {
	if f.values[key] == nil {
		return nil
	}
	name := f.oneOf(key, names...)
	return &name
}

func (f *fields) list(key string) []any {
	list, isList := f.required(key).([]any)
	if !isList {
		f.refuse(key, "must be an array")
	}
	return list
}

func (f *fields) texts(key string) []string {
	list := f.list(key)
	texts := make([]string, len(list))
	for i, value := range list {
		text, isText := value.(string)
		if !isText {
			f.refuse(key, "must hold strings")
		}
		texts[i] = text
	}
	return texts
}

func (f *fields) textsOrAbsent(key string) *[]string {
	if f.values[key] == nil {
		return nil
	}
	texts := f.texts(key)
	return &texts
}

func (f *fields) textMapOrAbsent(key string) map[string]string {
	value := f.values[key]
	if value == nil {
		return nil
	}
	values, isObject := value.(map[string]any)
	if !isObject {
		f.refuse(key, "must be an object")
	}
	texts := make(map[string]string, len(values))
	for name, value := range values {
		text, isText := value.(string)
		if !isText {
			f.refuse(key, "must hold strings")
		}
		texts[name] = text
	}
	return texts
}

// numberOrAbsent gives a json.Number, which keeps 1 and 1.0 apart, or nil.
func (f *fields) numberOrAbsent(key string) any {
	value := f.values[key]
	if _, isNumber := value.(json.Number); !isNumber && value != nil {
		f.refuse(key, "must be a number")
	}
	return value
}

// wholeNumberOrAbsent is numberOrAbsent for a number that an unsigned integer can hold.
func (f *fields) wholeNumberOrAbsent(key string) any {
	value := f.numberOrAbsent(key)
	if number, isNumber := value.(json.Number); isNumber {
		if _, err := strconv.ParseUint(number.String(), 10, 64); err != nil {
			f.refuse(key, "must be a whole number below 2^64")
		}
	}
	return value
}

func (f *fields) objectOrAbsent(key string) map[string]any {
	value := f.values[key]
	object, isObject := value.(map[string]any)
	if !isObject && value != nil {
		f.refuse(key, "must be an object")
	}
	return object
}

// sub reads an object inside this one, and takes over its trouble.
func (f *fields) sub(key string, value any, read func(*fields)) {
	inner := fieldsOf(f.of+"."+key, value)
	if inner.err == nil {
		read(inner)
	}
	if f.err == nil {
		f.err = inner.err
	}
}
