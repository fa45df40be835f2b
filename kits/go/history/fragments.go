package history

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// isContextualUserContent says whether any input_text is a fragment of SPEC 4.4.
func isContextualUserContent(content []Entry) bool {
	return slices.ContainsFunc(content, func(entry Entry) bool {
		return entry.Type == "input_text" && isUserFragment(*entry.Text)
	})
}

func isUserFragment(text string) bool {
	text = strings.TrimSpace(text) // white space is Unicode's White_Space, for both
	return isMarked(text) || isExternal(text) || isInternal(text) || isLegacyWarning(text) || isHookPrompt(text)
}

var marks = [][2]string{
	{"# AGENTS.md instructions", "</INSTRUCTIONS>"},
	{"<environment_context>", "</environment_context>"},
	{"<skill>", "</skill>"},
	{"<user_shell_command>", "</user_shell_command>"},
	{"<turn_aborted>", "</turn_aborted>"},
	{"<subagent_notification>", "</subagent_notification>"},
	{"<recommended_plugins>", "</recommended_plugins>"},
}

func isMarked(trimmed string) bool {
	return slices.ContainsFunc(marks, func(mark [2]string) bool { return isBetween(trimmed, mark[0], mark[1]) })
}

// isModelSwitch says of an entry whether it is the marked fragment that ROLL-9 removes.
func isModelSwitch(entry Entry) bool {
	return entry.Type == "input_text" &&
		isBetween(strings.TrimSpace(*entry.Text), "<model_switch>", "</model_switch>")
}

func isBetween(trimmed, start, end string) bool {
	return hasPrefixFold(trimmed, start) && len(trimmed) >= len(end) &&
		equalFold(trimmed[len(trimmed)-len(end):], end)
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && equalFold(text[:len(prefix)], prefix)
}

// equalFold folds ASCII letters only; strings.EqualFold takes U+212A for a k and U+017F for an s.
func equalFold(a, b string) bool {
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(letter byte) byte {
	if 'A' <= letter && letter <= 'Z' {
		return letter + 'a' - 'A'
	}
	return letter
}

func isExternal(trimmed string) bool {
	const opening = "<external_"
	rest, starts := strings.CutPrefix(trimmed, opening)
	key, inside, closed := strings.Cut(rest, ">")
	return starts && closed && strings.HasSuffix(inside, "</external_"+key+">")
}

var internalContext = regexp.MustCompile(
	`(?s)^<codex_internal_context source="[a-z][a-z0-9_]*">.*</codex_internal_context>$`)

func isInternal(trimmed string) bool {
	return internalContext.MatchString(trimmed) ||
		strings.HasPrefix(trimmed, "<goal_context>") && strings.HasSuffix(trimmed, "</goal_context>")
}

func isLegacyWarning(trimmed string) bool {
	return strings.HasPrefix(trimmed, "Warning: The maximum number of unified exec processes you can keep open is") ||
		strings.HasPrefix(trimmed, "Warning: apply_patch was requested via ") &&
			strings.HasSuffix(trimmed, "Use the apply_patch tool instead of exec_command.") ||
		strings.HasPrefix(trimmed, "Warning: Your account was flagged for potentially high-risk cyber activity")
}

var developerStarts = []string{
	"<permissions instructions>", "Approved command prefix saved:", "<model_switch>", "<apps_instructions>",
	"<collaboration_mode>", "<multi_agent_mode>", "<environments_instructions>", "<git_attribution>",
	"<plugins_instructions>", "<realtime_conversation>", "<skills_instructions>", "<tools>",
	"<personality_spec>", "<token_budget>", "<context_window>", "<context_window_guidance>", "<rollout_budget>",
}

// isContextualEntry says whether an entry of a developer message is contextual (SPEC 4.5).
func isContextualEntry(entry Entry) bool {
	if entry.Type != "input_text" {
		return false
	}
	text := strings.TrimLeftFunc(*entry.Text, unicode.IsSpace)
	return slices.ContainsFunc(developerStarts, func(start string) bool { return hasPrefixFold(text, start) })
}

func hasContextualEntry(content []Entry) bool { return slices.ContainsFunc(content, isContextualEntry) }

func hasOtherEntry(content []Entry) bool {
	return slices.ContainsFunc(content, func(entry Entry) bool { return !isContextualEntry(entry) })
}
