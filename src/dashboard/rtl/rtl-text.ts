import { RTL_TEXT } from "../../core/maps/text/rtl-text.ts";

/** The script that MapLibre's worker loads for texts read from the right: /dashboard/rtl-text.js. */
declare const self: { registerRTLTextPlugin(plugin: typeof RTL_TEXT): void };

self.registerRTLTextPlugin(RTL_TEXT);
