// Files share a thread: what one has mocked is not what the next one imports.
import { vi } from "vitest";

vi.resetModules();
