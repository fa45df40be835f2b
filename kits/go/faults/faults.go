// Package faults breaks the kit on purpose: CONTEXTCERT_FAULT=name switches one fault on, and
// contextcert must catch it. Leave this package out of an adapter of your own.
package faults

// Name is a fault.
type Name string

// The faults.
const (
	CloneSharesState Name = "clone-shares-state"
)

var active Name

// On says whether a fault is switched on.
func On(name Name) bool { return name == active }
