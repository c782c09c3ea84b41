import { type Answer, call, eventually, get, type Json, post } from "../../../support/world.ts";

type Note = (name: string, answer: Answer) => Answer["body"];

/** Answers of long questions about routes. */
async function noteRouteJobs(note: Note, secret: string, near: string): Promise<void> {
  const path = [{ coordinates: near }, { coordinates: near }];
  const matching = note("createMatchJob", await post("/v1/route/match/jobs", secret, { path }));
  const fleet = { vehicles: [{ id: 1, start: [0, 0] }], jobs: [{ id: 1, location: [0, 0] }], options: { x: 0 } };
  const planning = note("createFleetJob", await post("/v1/route/optimize/jobs", secret, fleet));
  for (const { job } of [matching, planning]) {
    const isDone = ({ body }: Answer) => body.job.status === "finished";
    const one = `/v1/route/jobs/${job._id}`;
    note("getRouteJob", await eventually(() => get(one, secret), isDone, 15_000));
    note("getRouteJobResult", await get(`${one}/result`, secret));
  }
  const one = `/v1/route/jobs/${planning.job._id}`;
  note("cancelRouteJob", await post(`${one}/cancel`, secret, {}));
  note("listRouteJobs", await get("/v1/route/jobs", secret));
  note("deleteRouteJob", await call("DELETE", one, { key: secret }));
}

/** Answers of what goes in and out of a project: links to trips, files of geofences. */
export async function noteTransfer(note: Note, secret: string, near: string): Promise<void> {
  const trip: Json = { externalId: "shared", userId: "cat", destinationGeofenceTag: "shapes" };
  await post("/v1/trips", secret, { ...trip, destinationGeofenceExternalId: "square" });
  const { share } = note("shareTrip", await post("/v1/trips/shared/shares", secret, { minutes: 5 }));
  note("openTripShare", await get(`/v1/shares/${share.token}`));
  note("revokeTripShare", await call("DELETE", `/v1/shares/${share._id}`, { key: secret }));
  note("listTripShares", await get("/v1/trips/shared/shares", secret));
  const csv = 'description,coordinates,radius,colour\nImported,"[0,0]",100,red\nBad,"[0,0]",1,red\n';
  const done = note("importGeofences", await post("/v1/imports/geofences", secret, { csv, filename: "a.csv" }));
  note("listGeofenceImports", await get("/v1/imports/geofences", secret));
  note("getGeofenceImport", await get(`/v1/imports/geofences/${done.import._id}`, secret));
  const rows = [{ query: "Meridale" }, { kind: "reverse", coordinates: "48.99,-111.2" }, { query: "" }];
  note("geocodeBatch", await post("/v1/geocode/batch", secret, { rows }));
  const started = note(
    "createGeocodeJob",
    await post("/v1/geocode/jobs?filename=a.csv", secret, { csv: "address\nMeridale\n" }),
  );
  const names = "address,city\nMeridale,x\n";
  note("createGeocodeJob", await post("/v1/geocode/jobs?dryRun=true", secret, { csv: names }));
  const path = `/v1/geocode/jobs/${started.job._id}`;
  note("getGeocodeJob", await get(path, secret));
  note("cancelGeocodeJob", await post(`${path}/cancel`, secret, {}));
  note("listGeocodeJobs", await get("/v1/geocode/jobs", secret));
  note("deleteGeocodeJob", await call("DELETE", path, { key: secret }));
  await noteRouteJobs(note, secret, near);
  const { body } = await get(
    `/v1/search/places?near=${near}&radius=10000&categories=food-beverage,travel-transportation`,
    secret,
  );
  for (const { location } of body.places) {
    const at = location.coordinates.toReversed();
    const [house] = (await get(`/v1/geocode/reverse?coordinates=${at}&layers=address`, secret)).body.addresses;
    if (!house?.id) continue;
    note("getAddress", await get(`/v1/addresses/${house.id}`, secret));
    break;
  }
  note("getPlace", await get(`/v1/places/${body.places[0]._id}`, secret));
}
