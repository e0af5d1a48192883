// Test files share a thread: do not let the next file import modules mocked by the last one.
import { vi } from "vitest";

vi.resetModules();
