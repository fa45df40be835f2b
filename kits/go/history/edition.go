package history

// An Edition is a frozen set of rules (SPEC 7 lists what the later one changes).
type Edition string

// The editions that this history knows.
const (
	August2026   Edition = "2026-08"
	November2026 Edition = "2026-11"
)
