import { subject } from "./adapter.js";
import { write } from "./faults.js";
import { serve } from "./protocol.js";

await serve(subject, write);
