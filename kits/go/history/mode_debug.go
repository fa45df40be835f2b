//go:build !release

package history

// Mode is the build's own: a debug build panics at an anomaly (SPEC 2.6).
const Mode = "debug"
