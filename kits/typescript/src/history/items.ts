/** Items in the form in which they are kept, which is their wire form (SPEC 1.1). */

import type { Json, JsonObject } from "./json.js";

export type Edition = "2026-08" | "2026-11";

/** The key of the passthrough metadata, which SPEC calls meta. */
export const META = "internal_chat_message_metadata_passthrough";

export interface Meta {
  turn_id?: string;
  create_time?: number;
}

export type InputText = { type: "input_text"; text: string };
export type OutputText = { type: "output_text"; text: string };
export type InputImage = { type: "input_image"; image_url: string; detail?: string };
export type InputAudio = { type: "input_audio"; audio_url: string };
export type EncryptedContent = { type: "encrypted_content"; encrypted_content: string };

export type MessageEntry = InputText | InputImage | InputAudio | OutputText;
export type OutputEntry = InputText | InputImage | InputAudio | EncryptedContent;
export type Body = string | readonly OutputEntry[];

interface Common {
  id?: string;
  [META]?: Meta;
}

export interface Message extends Common {
  type: "message";
  role: string;
  content: readonly MessageEntry[];
  phase?: string;
}

export interface AgentMessage extends Common {
  type: "agent_message";
  author: string;
  recipient: string;
  content: readonly (InputText | EncryptedContent)[];
}

export interface FunctionCall extends Common {
  type: "function_call";
  name: string;
  namespace?: string;
  arguments: string;
  encrypted_function_args?: readonly string[];
  call_id: string;
}

export interface FunctionOutput extends Common {
  type: "function_call_output";
  /** Absent in edition 2026-11 alone, like name and namespace (E11-1). */
  call_id?: string;
  name?: string;
  namespace?: string;
  output: Body;
}

export interface CustomCall extends Common {
  type: "custom_tool_call";
  status?: string;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
}

export interface CustomOutput extends Common {
  type: "custom_tool_call_output";
  call_id: string;
  name?: string;
  output: Body;
}

export interface SearchCall extends Common {
  type: "tool_search_call";
  call_id: string | null;
  status?: string;
  execution: string;
  arguments: Json;
}

export interface SearchOutput extends Common {
  type: "tool_search_output";
  call_id: string | null;
  status: string;
  execution: string;
  tools: readonly Json[];
}

export interface ShellCall extends Common {
  type: "local_shell_call";
  call_id: string | null;
  status: string;
  action: JsonObject;
}

export interface ImageGeneration extends Common {
  type: "image_generation_call";
  status: string;
  revised_prompt?: string;
  result: string;
}

/** Items into which no rule looks. */
export interface Opaque extends Common {
  type:
    | "reasoning"
    | "web_search_call"
    | "additional_tools"
    | "compaction"
    | "context_compaction"
    | "compaction_trigger"
    | "other";
}

export type Item =
  | Message
  | AgentMessage
  | FunctionCall
  | FunctionOutput
  | CustomCall
  | CustomOutput
  | SearchCall
  | SearchOutput
  | ShellCall
  | ImageGeneration
  | Opaque;

/** An item with what never goes to the model (ITEM-6, ITEM-8). */
export interface Envelope {
  readonly item: Item;
  readonly metadata: JsonObject | null;
  /** The success flag of an output, if it was given. */
  readonly success?: boolean;
}
