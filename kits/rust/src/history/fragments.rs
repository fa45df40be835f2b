//! Text that is context rather than instruction (SPEC 4.4 and 4.5).
//!
//! `str::trim` and its kin strip Unicode's `White_Space`, which is SPEC's white space.

use super::items::Content;

const MARKED_USER: &[(&str, &str)] = &[
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    ("<environment_context>", "</environment_context>"),
    ("<skill>", "</skill>"),
    ("<user_shell_command>", "</user_shell_command>"),
    ("<turn_aborted>", "</turn_aborted>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<recommended_plugins>", "</recommended_plugins>"),
];

const LEGACY_WARNINGS: &[(&str, &str)] = &[
    ("Warning: The maximum number of unified exec processes you can keep open is", ""),
    (
        "Warning: apply_patch was requested via ",
        "Use the apply_patch tool instead of exec_command.",
    ),
    ("Warning: Your account was flagged for potentially high-risk cyber activity", ""),
];

const DEVELOPER_STARTS: &[&str] = &[
    "<permissions instructions>",
    "Approved command prefix saved:",
    "<model_switch>",
    "<apps_instructions>",
    "<collaboration_mode>",
    "<multi_agent_mode>",
    "<environments_instructions>",
    "<git_attribution>",
    "<plugins_instructions>",
    "<realtime_conversation>",
    "<skills_instructions>",
    "<tools>",
    "<personality_spec>",
    "<token_budget>",
    "<context_window>",
    "<context_window_guidance>",
    "<rollout_budget>",
];

/// Says whether a user message's content is contextual: any of its input texts is (4.4).
pub fn is_contextual_user_content(content: &[Content]) -> bool {
    content.iter().any(|entry| match entry {
        Content::InputText(text) => is_user_fragment(text),
        _ => false,
    })
}

/// Says whether an entry of a developer message is contextual (4.5).
pub fn is_contextual_developer_entry(entry: &Content) -> bool {
    let Content::InputText(text) = entry else { return false };
    let text = text.trim_start();
    DEVELOPER_STARTS.iter().any(|start| starts_in_either_case(text, start))
}

/// Says whether a text is a `<model_switch>` fragment (ROLL-9).
pub fn is_model_switch(text: &str) -> bool {
    is_marked(text, "<model_switch>", "</model_switch>")
}

fn is_user_fragment(text: &str) -> bool {
    let trimmed = text.trim();
    MARKED_USER.iter().any(|(start, end)| is_marked(text, start, end))
        || is_external(trimmed)
        || is_internal(trimmed)
        || LEGACY_WARNINGS
            .iter()
            .any(|(start, end)| trimmed.starts_with(start) && trimmed.ends_with(end))
        || is_hook_prompt(trimmed)
}

/// Rule *Marked*.
fn is_marked(text: &str, start: &str, end: &str) -> bool {
    starts_in_either_case(text.trim_start(), start) && ends_in_either_case(text.trim_end(), end)
}

fn starts_in_either_case(text: &str, start: &str) -> bool {
    let head = text.as_bytes().get(..start.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

fn ends_in_either_case(text: &str, end: &str) -> bool {
    let from = text.len().checked_sub(end.len());
    from.is_some_and(|from| text.as_bytes()[from..].eq_ignore_ascii_case(end.as_bytes()))
}

/// Rule *External*: `<external_K>`…`</external_K>`.
fn is_external(trimmed: &str) -> bool {
    let opened = trimmed.strip_prefix("<external_").and_then(|rest| rest.split_once('>'));
    opened.is_some_and(|(key, rest)| rest.ends_with(&format!("</external_{key}>")))
}

/// Rule *Internal*.
fn is_internal(trimmed: &str) -> bool {
    is_between(trimmed, "<goal_context>", "</goal_context>")
        || trimmed
            .strip_prefix("<codex_internal_context source=\"")
            .and_then(|rest| rest.split_once("\">"))
            .is_some_and(|(source, rest)| {
                is_source(source) && rest.ends_with("</codex_internal_context>")
            })
}

fn is_between(text: &str, start: &str, end: &str) -> bool {
    text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
}

/// `[a-z][a-z0-9_]*`
fn is_source(source: &str) -> bool {
    source.starts_with(|first: char| first.is_ascii_lowercase())
        && source.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Rule *Hook prompt*: one XML element without children, with a non-blank attribute
/// `hook_run_id` and some text that is not all white space.
fn is_hook_prompt(trimmed: &str) -> bool {
    hook_prompt_text(trimmed).is_some_and(|text| !text.trim().is_empty())
}

/// Gives the element's text if it is well formed and names a hook's run.
fn hook_prompt_text(element: &str) -> Option<&str> {
    let (name, mut rest) = split_name(element.strip_prefix('<')?)?;
    let mut names = Vec::new();
    let mut names_a_run = false;
    while !rest.starts_with('>') {
        let attribute = rest.trim_start_matches(is_xml_space);
        if attribute.starts_with('>') {
            rest = attribute;
        } else {
            if attribute.len() == rest.len() {
                return None; // no space before an attribute
            }
            let (key, value, after) = split_attribute(attribute)?;
            if names.contains(&key) {
                return None;
            }
            names.push(key);
            names_a_run |= key == "hook_run_id" && !value.trim().is_empty();
            rest = after;
        }
    }
    let body = rest[1..].strip_suffix('>')?.trim_end_matches(is_xml_space);
    let text = body.strip_suffix(name)?.strip_suffix("</")?;
    (names_a_run && !text.contains(['<', '&']) && !text.contains("]]>")).then_some(text)
}

/// Splits `key="value"` off, either quote.
fn split_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = split_name(text)?;
    let rest = rest.trim_start_matches(is_xml_space).strip_prefix('=')?;
    let rest = rest.trim_start_matches(is_xml_space);
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (value, after) = rest[1..].split_once(quote)?;
    (!value.contains(['<', '&'])).then_some((key, value, after))
}

fn split_name(text: &str) -> Option<(&str, &str)> {
    let starts = |it: char| it.is_alphabetic() || matches!(it, '_' | ':');
    let goes_on = |it: char| starts(it) || it.is_numeric() || matches!(it, '-' | '.' | '\u{b7}');
    text.starts_with(starts)
        .then(|| text.split_at(text.find(|it| !goes_on(it)).unwrap_or(text.len())))
}

fn is_xml_space(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_fragments_are_told_from_instructions() {
        for (text, contextual) in [
            ("\u{85} <SKILL>\nx</skill>\u{3000}", true),
            ("\u{feff}<skill>x</skill>", false),
            ("# agents.md instructions for /x\n</instructions>", true),
            ("<external_>x</external_>", true),
            ("<external_a b>x</external_a b>", true),
            ("<external_a>x</external_b>", false),
            ("<EXTERNAL_a>x</EXTERNAL_a>", false),
            ("<codex_internal_context source=\"a_1\">x</codex_internal_context>", true),
            ("<codex_internal_context source=\"1a\">x</codex_internal_context>", false),
            ("<goal_context></goal_context>", true),
            ("Warning: apply_patch was requested via shell. Use it.", false),
            ("<hook hook_run_id=\"1\">do</hook>", true),
            ("<a:b x='1' hook_run_id = '1' >do</a:b >", true),
            ("<hook hook_run_id=\" \">do</hook>", false),
            ("<hook hook_run_id=\"1\"/>", false),
            ("<hook hook_run_id=\"1\">do</hok>", false),
            ("<hook hook_run_id=\"1\" hook_run_id=\"2\">do</hook>", false),
            ("hello", false),
        ] {
            let content = [Content::InputText(text.to_owned())];
            assert_eq!(is_contextual_user_content(&content), contextual, "{text}");
        }
        let written = [Content::OutputText("<skill>x</skill>".to_owned())];
        assert!(!is_contextual_user_content(&written));
    }
}
