import { describe, expect, it } from "vitest";
import { escapingOf, fillIn, parseTemplate } from "../../../src/core/webhooks/template.ts";

const message = {
  event: {
    type: "user.entered_geofence",
    geofence: { tag: 'a "b"\n\\' },
    location: { coordinates: [13.4, 52.5] },
    empty: "",
  },
  user: { userId: "Jörg & Søn" },
};
const filled = (text: string, type = "application/json") => {
  const { template = [], problem } = parseTemplate(text);
  return problem ?? fillIn(template, message, escapingOf(type));
};

describe("a message's template", () => {
  it("puts in the value at a path, in a string of JSON so that it stays JSON", () => {
    expect(JSON.parse(filled('{"text": "{{event.geofence.tag}} by {{ user.userId }}"}'))).toEqual({
      text: 'a "b"\n\\ by Jörg & Søn',
    });
  });

  it("puts in its other text where there is no value, or an empty one", () => {
    expect(filled("{{user.name|A device}}, {{event.empty | nothing}}, {{user.none}}.", "text/plain")).toBe(
      "A device, nothing, .",
    );
  });

  it("writes values as JSON where that is asked for, null where there is none", () => {
    expect(JSON.parse(filled('{"at": {{json event.location.coordinates}}, "none": {{json event.none}}}'))).toEqual({
      at: [13.4, 52.5],
      none: null,
    });
    expect(filled("{{event.location.coordinates.1}}", "text/plain")).toBe("52.5");
  });

  it("escapes values for a form", () => {
    expect(filled("text={{user.userId}}", "application/x-www-form-urlencoded")).toBe("text=J%C3%B6rg%20%26%20S%C3%B8n");
  });

  it("reaches nothing that is not a value of the message", () => {
    expect(filled("{{constructor.name}}{{event.__proto__.x}}{{event.type.length}}", "text/plain")).toBe("");
  });

  it.each([["{{event.type"], ["{{}}"], ["{{event..type}}"], ["{{#if x}}"], ["a {{b {{event.type}}"]])(
    "that cannot be read is told: %s",
    (text) => {
      expect(parseTemplate(text)).toEqual({ problem: expect.stringMatching(/\{\{/) });
    },
  );
});
