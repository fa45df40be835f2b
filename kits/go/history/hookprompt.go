package history

import (
	"regexp"
	"strings"
)

// The grammar of XML for one element with attributes and text, without children, comments, CDATA and
// entities of its own.
const (
	xmlSpace     = `[ \t\r\n]`
	xmlNameStart = `:A-Z_a-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}` +
		`\x{200C}-\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}` +
		`\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}`
	xmlName      = `[` + xmlNameStart + `][` + xmlNameStart + `\-.0-9\x{B7}\x{300}-\x{36F}\x{203F}-\x{2040}]*`
	xmlReference = `&(?:amp|lt|gt|apos|quot|#[0-9]+|#x[0-9a-fA-F]+);`
	xmlValue     = `"(?:[^"<&]|` + xmlReference + `)*"|'(?:[^'<&]|` + xmlReference + `)*'`
	xmlAttribute = xmlSpace + `+(` + xmlName + `)` + xmlSpace + `*=` + xmlSpace + `*(` + xmlValue + `)`
)

var (
	xmlElement = regexp.MustCompile(`^<(` + xmlName + `)((?:` + xmlAttribute + `)*)` + xmlSpace + `*>` +
		`((?:[^<&]|` + xmlReference + `)*)</(` + xmlName + `)` + xmlSpace + `*>$`)
	xmlAttributes = regexp.MustCompile(xmlAttribute)
	xmlNoText     = regexp.MustCompile(`[^\t\n\r\x{20}-\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]`)
)

// isHookPrompt is rule 5 of SPEC 4.4: an XML element with a non-blank hook_run_id, and some text.
func isHookPrompt(trimmed string) bool {
	if !strings.HasPrefix(trimmed, "<") || !strings.Contains(trimmed, "hook_run_id") {
		return false
	}
	parts := xmlElement.FindStringSubmatch(trimmed)
	if parts == nil || xmlNoText.MatchString(trimmed) {
		return false
	}
	name, attributes, text, closing := parts[1], parts[2], parts[5], parts[6]
	return name == closing && hasRunID(attributes) &&
		strings.TrimSpace(text) != "" && !strings.Contains(text, "]]>")
}

// hasRunID refuses attributes that repeat a name, which no XML may.
func hasRunID(attributes string) bool {
	values := make(map[string]string)
	for _, attribute := range xmlAttributes.FindAllStringSubmatch(attributes, -1) {
		name, quoted := attribute[1], attribute[2]
		if _, repeated := values[name]; repeated {
			return false
		}
		values[name] = quoted[1 : len(quoted)-1]
	}
	return strings.TrimSpace(values["hook_run_id"]) != ""
}
