// Package faults breaks the kit on purpose: CONTEXTCERT_FAULT=name switches one fault on, and
// contextcert must catch it. Leave this package out of an adapter of your own.
package faults

import (
	"fmt"
	"os"
	"slices"
)

// Name is a fault.
type Name string

// The faults, with the clauses that they break.
const (
	AdjacentPairing           Name = "adjacent-pairing"             // PAIR-6
	CallIDInSyntheticID       Name = "call-id-in-synthetic-id"      // SYN-1
	FamiliesShareIDs          Name = "families-share-ids"           // PAIR-7
	OrphanKept                Name = "orphan-kept"                  // ORPH-1
	ImageRemoved              Name = "image-removed"                // IMG-2
	MarkerCountsRemoved       Name = "marker-counts-removed"        // TRUNC-6
	HeadRemovesAllMatches     Name = "head-removes-all-matches"     // HEAD-2
	BaselineKeptByRollback    Name = "baseline-kept-by-rollback"    // WORLD-5
	VersionBumpedByRecording  Name = "version-bumped-by-recording"  // VER-3
	MixedBundleKeepsReference Name = "mixed-bundle-keeps-reference" // ROLL-6
	CloneSharesState          Name = "clone-shares-state"           // SNAP-1
	DeltaAfterReplace         Name = "delta-after-replace"          // CUR-3
	RepairWrittenBack         Name = "repair-written-back"          // PROJ-1
	EmptyCallIDIsAbsent       Name = "empty-call-id-is-absent"      // PAIR-11

	NoPanicInDebug      Name = "no-panic-in-debug"     // MODE-3
	AnotherPanicMessage Name = "another-panic-message" // MODE-6
	ReleasePanics       Name = "release-panics"        // MODE-4
	WrongMode           Name = "wrong-mode"            // refused at the handshake

	Crash                   Name = "crash"
	Hang                    Name = "hang"
	Garbage                 Name = "garbage"
	WrongID                 Name = "wrong-id"
	HalfLine                Name = "half-line"
	UnknownOperationCrashes Name = "unknown-operation-crashes"
)

var names = []Name{
	AdjacentPairing, CallIDInSyntheticID, FamiliesShareIDs, OrphanKept, ImageRemoved, MarkerCountsRemoved,
	HeadRemovesAllMatches, BaselineKeptByRollback, VersionBumpedByRecording, MixedBundleKeepsReference,
	CloneSharesState, DeltaAfterReplace, RepairWrittenBack, EmptyCallIDIsAbsent,
	NoPanicInDebug, AnotherPanicMessage, ReleasePanics, WrongMode,
	Crash, Hang, Garbage, WrongID, HalfLine, UnknownOperationCrashes,
}

var active Name

// Read reads the environment, once and before anything else; a name that is no fault is an error.
func Read() error {
	name := Name(os.Getenv("CONTEXTCERT_FAULT"))
	if name != "" && !slices.Contains(names, name) {
		return fmt.Errorf("CONTEXTCERT_FAULT: there is no fault %q, only %q", name, names)
	}
	active = name
	return nil
}

// On says whether a fault is switched on.
func On(name Name) bool { return name == active }
