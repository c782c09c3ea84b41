import { useAddress } from "../../base/router.tsx";
import { Code } from "../../parts/values/code.tsx";

/** Three commands to generate the first event. Disappears when there is an event. */
export function FirstSteps() {
  const { to, environment } = useAddress();
  const { origin } = location;
  return (
    <section class="card stack first-steps" aria-labelledby="first-steps">
      <div>
        <h2 id="first-steps">Generate your first event</h2>
        <p class="muted">
          Set PUBLISHABLE and SECRET to the {environment} keys of the project (
          <a href={`${to("settings")}?section=keys`}>where they are</a>). This box disappears with the first event.
        </p>
      </div>
      <ol class="stack">
        <li class="stack tight">
          <span>Create a geofence, here around the Brandenburg Gate.</span>
          <Code
            text={`curl -X PUT ${origin}/v1/geofences/sight/brandenburg-gate -H "Authorization: $SECRET" \\\n  -d description='Brandenburg Gate' -d type=circle -d 'coordinates=[13.3777,52.5163]' -d radius=100`}
          />
        </li>
        <li class="stack tight">
          <span>Track a device into it. The response contains the event.</span>
          <Code
            text={`curl ${origin}/v1/track -H "Authorization: $PUBLISHABLE" \\\n  -d deviceId=phone-1 -d latitude=52.5163 -d longitude=13.3777 -d accuracy=10 -d foreground=true`}
          />
        </li>
        <li class="stack tight">
          <span>Or use the Radar SDK in an app or a page, with this server as its host.</span>
          <Code
            text={`import Radar from "radar-sdk-js";\n\nRadar.initialize(PUBLISHABLE, { host: "${origin}" });\nRadar.setUserId("ada");\nconst { events } = await Radar.trackOnce();`}
          />
        </li>
      </ol>
    </section>
  );
}
