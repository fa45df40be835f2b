//! Steps C and D of the projection: images and audio a model does not take (SPEC 2.7), and media
//! that nobody could use (E11-5).

use std::rc::Rc;

use super::items::{Content, Entry, Item, Kind};
use crate::faults::{Fault, fault};

const NO_IMAGE: &str = "image content omitted because you do not support image input";
const NO_AUDIO: &str = "audio content omitted because you do not support audio input";
const BAD_IMAGE: &str = "image content omitted because it could not be processed";
const BAD_AUDIO: &str = "audio content omitted because it could not be processed";

/// What a model takes; text is never asked about (AUD-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modality {
    Text,
    Image,
    Audio,
}

/// Puts text in the place of what the model does not take (IMG-1 to IMG-5, AUD-1 to AUD-6).
pub fn downgrade(prompt: &mut [Entry], modalities: &[Modality]) {
    let images = modalities.contains(&Modality::Image);
    let audio = modalities.contains(&Modality::Audio);
    let replacement = |content: &Content| match content {
        Content::InputImage { .. } if !images => Some(NO_IMAGE),
        Content::InputAudio { .. } if !audio => Some(NO_AUDIO),
        _ => None,
    };
    for entry in prompt {
        if entry.item.contents().iter().any(|content| replacement(content).is_some()) {
            let item = &mut Rc::make_mut(entry).item;
            if fault(Fault::ImageRemoved) {
                remove_images(item, images);
            }
            replace(item, replacement);
        }
        if !images
            && matches!(&entry.item.kind, Kind::ImageGenerationCall { result, .. } if !result.is_empty())
            && let Kind::ImageGenerationCall { result, .. } = &mut Rc::make_mut(entry).item.kind
        {
            result.clear(); // IMG-4
        }
    }
}

fn replace(item: &mut Item, replacement: impl Fn(&Content) -> Option<&'static str>) {
    for content in item.contents_mut() {
        if let Some(text) = replacement(content) {
            *content = Content::InputText(text.to_owned());
        }
    }
}

fn remove_images(item: &mut Item, images: bool) {
    if let Kind::Message { content, .. } = &mut item.kind {
        content.retain(|it| images || !matches!(it, Content::InputImage { .. }));
    }
}

/// Puts text in the place of media that cannot be decoded (E11-5).
pub fn drop_undecodable(item: &mut Item) {
    replace(item, |content| match content {
        Content::InputImage { image_url, .. } if !is_decodable_image(image_url) => Some(BAD_IMAGE),
        Content::InputAudio { audio_url } if !is_data_url(audio_url, "audio/") => Some(BAD_AUDIO),
        _ => None,
    });
}

/// Says whether an image may be sent, as far as a glance tells: one that lies elsewhere is not
/// ours to decode.
fn is_decodable_image(url: &str) -> bool {
    let Some((head, payload)) = url.split_once(',').filter(|_| is_data_url(url, "")) else {
        return !is_data_url(url, "");
    };
    is_data_url(url, "image/") && head.ends_with(";base64") && starts_like_an_image(payload)
}

fn is_data_url(url: &str, media_type: &str) -> bool {
    url.strip_prefix("data:").is_some_and(|rest| rest.starts_with(media_type))
}

/// Base64 of the first bytes of PNG, JPEG, GIF and RIFF (WebP) files.
fn starts_like_an_image(payload: &str) -> bool {
    ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"].iter().any(|start| payload.starts_with(start))
}
