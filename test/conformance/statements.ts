/**
 * The statements of the specification outside its tables of parameters and fields, in our words, each with the tests that
 * prove it: `file > title`, relative to test/. Ids are permanent; a new statement gets a new id.
 */
export interface Section {
  title: string;
  statements: Readonly<Record<string, readonly [says: string, ...tests: string[]]>>;
}

const HERE = "worker/http/conformance/conformance.test.ts";
const EFFECTS = "worker/http/conformance/effects.test.ts > $parameter changes $changes";
const CASES = "worker/http/conformance/users-and-beacons.test.ts";

export const SECTIONS: readonly Section[] = [
  {
    title: "The service",
    statements: {
      "service.http": [
        "An HTTP API of resources under one base URL",
        "worker/http/reference/shapes.test.ts > names each operation once, and every parameter of its path",
        "worker/http/reference/shapes.test.ts > has no two paths that mean the same",
      ],
      "service.json": [
        "Every response is JSON, including errors, except the static map, which is an image",
        `${HERE} > is JSON, of every endpoint and of every mistake, but for a map, which is an image`,
        "worker/http/running/http-layer.test.ts > say %s, as JSON with a request id and no key needed",
      ],
      "service.bodies": [
        "Bodies are JSON or forms",
        "worker/http/running/http-layer.test.ts > are JSON when no type is given, or one with a charset or in capitals",
        "worker/http/running/http-layer.test.ts > are forms whatever the case of the type and its charset",
        `${CASES} > have the same effect on %s`,
      ],
      "service.blocks": [
        "Track, context, three geocoding endpoints, autocomplete, three searches, address validation, and five routing endpoints",
        `${HERE} > is answered with what is required and nothing else`,
      ],
      "service.map": [
        "A static map can be the src of an <img>",
        "worker/http/maps/static-map.test.ts > takes the key as publishableKey, as an <img> can send no header",
      ],
      "service.beacons": [
        "Beacons can be created in the dashboard, from CSV or with the API, in Test and Live",
        "worker/http/customers/beacon-imports.test.ts > creates a beacon per row, with coordinates and metadata from JSON texts",
        "worker/http/customers/beacons.test.ts > creates an iBeacon with the identifiers of its type, as strings",
        "worker/http/customers/beacons.test.ts > is found, replaced and deleted by its pair and by its id, in its own environment only",
        "browser/files.test.ts",
      ],
      "service.managed": [
        "A project manages users, geofences and events",
        "worker/http/track/track.test.ts > is found by search, in the list of users and in the events",
        "worker/http/project/scopes-everywhere.test.ts > no endpoint shows or changes what another scope has",
        "worker/http/customers/delete-user.test.ts > deleting a user deletes everything about it, in every table, also trips that wait for it; nothing of anybody else",
      ],
      "service.beacons-near": [
        "The SDK receives the beacons within one kilometer of the user",
        "worker/http/customers/beacons.test.ts > finds enabled beacons within a kilometre, nearest first, at most ten",
        "worker/http/track/replay-and-sync.test.ts > tells of the geofences and beacons around, and of the circle in which that holds",
        "client/sdk/radar-sdk-js.test.ts > is told of the beacons around, as the mobile SDKs ask for them",
      ],
      "service.ranging": [
        "uuid, major and minor identify an iBeacon; uid and instance identify an Eddystone beacon",
        `${CASES} > are told apart by each of their identifiers: %s`,
        "worker/http/customers/beacons.test.ts > creates an iBeacon with the identifiers of its type, as strings",
        "worker/http/customers/beacons.test.ts > asks an Eddystone beacon for its %s",
      ],
      "service.uuid-only": [
        "If a project sets UUIDs or UIDs, the SDK ranges only these, regardless of beacon locations",
        "worker/http/customers/beacons.test.ts > tells the uuids and uids by which alone to listen, as the project has set them",
        `${CASES} > are ranged by the same uuids and uids everywhere, where a project has set some`,
      ],
      "service.beacon-entry": [
        "The first update in range of an enabled beacon generates an entry event",
        "worker/http/customers/beacons.test.ts > enters the first time it hears one, stays, and exits when the list no longer holds it",
      ],
    },
  },
  {
    title: "Conventions",
    statements: {
      "convention.coordinates": [
        "Coordinates in a query are latitude,longitude",
        "core/geo/distance.test.ts > is read from %j",
        "worker/http/track/context.test.ts > refuses coordinates %j",
      ],
      "convention.point": [
        "A Point lists the longitude first",
        "core/geo/distance.test.ts > is written longitude first in GeoJSON",
      ],
      "convention.beacon-coordinates": [
        "A beacon's coordinates are [longitude, latitude]; in a CSV cell, as JSON",
        `${HERE} > comes to a form as to JSON, where something is sent`,
        "worker/http/customers/beacon-imports.test.ts > creates a beacon per row, with coordinates and metadata from JSON texts",
      ],
      "convention.bars": [
        "Lists of coordinates are separated by pipes",
        "worker/http/routes/routes.test.ts > has a cell for every pair, equal to the distance endpoint's answer",
        "worker/http/routes/routes.test.ts > visits locations in order, a leg between each two",
      ],
      "convention.datetime": [
        "Times are ISO 8601",
        "worker/http/reference/shapes.test.ts > have no null, no meta.error, and dates as the iOS SDK reads them",
      ],
      "convention.quantities": [
        "Distances and durations are {value, text}",
        "core/geo/units.test.ts > and its value is in feet or metres, to a tenth",
        "core/geo/units.test.ts > and its value is in minutes, to a thousandth",
        "core/geo/units.test.ts > %d s: %s",
      ],
      "convention.envelope": [
        "A successful response contains meta.code 200 and the requested data",
        "worker/http/running/http-layer.test.ts > say meta.code 200 and have a request id of their own",
        "worker/http/reference/shapes.test.ts > have all the fields that the reference says they have, and none that it does not show",
      ],
      "convention.layers": [
        "Seven layers; coarse includes five of them, fine includes address and place",
        `${HERE} > stand for their layers`,
      ],
      "convention.modes": [
        "Travel by car, truck, foot or bike",
        "worker/http/routes/routes.test.ts > tells the straight line and every mode, in feet and miles unless asked otherwise",
      ],
      "convention.geometry": [
        "A line is GeoJSON, or an object with a polyline of 5 or 6 decimals",
        "worker/http/routes/routes.test.ts > draws the way inside each mode, in three formats that agree",
        "core/geo/polyline.test.ts > is written as GeoJSON or as a polyline of 5 or 6 decimals",
      ],
    },
  },
  {
    title: "Users, events, places, geofences",
    statements: {
      "user.named": [
        "_id, userId or deviceId identifies a user",
        "worker/http/track/read-after-track.test.ts > is readable by every name, in the list and in search when track has answered",
      ],
      "user.live": [
        "live is the environment of the key",
        "worker/http/track/track.test.ts > never mixes test and live",
      ],
      "user.trip": [
        "trip is present while the trip is started, approaching or arrived",
        "worker/http/track/trips.test.ts > is pending, started, approaching, arrived and completed, with an ETA and an event at each step",
        `${CASES} > that is %s shows it: %s`,
      ],
      "user.place": [
        "place is present if places are enabled",
        "worker/http/project/geodata.test.ts > enters a place when it stops there, and not when it drives by",
        `${CASES} > shows what is on: %s`,
      ],
      "user.regions": [
        "country, state and postalCode are present if regions are enabled",
        "worker/http/project/geodata.test.ts > enters the regions it comes to and leaves those it was in",
        `${CASES} > shows what is on: %s`,
      ],
      "user.dma": [
        "dma, with code and name, is present in the United States (from the operator's table of counties)",
        "worker/http/conformance/conformance-geocoding.test.ts > have dma with the code and name of the operator's table, in track, in context and on the user",
        "core/regions/region-index.test.ts > are country with flag, state, county and the county's market area",
        "worker/wire/user.test.ts > shows the region of each kind that it is in: %s",
      ],
      "user.beacons": [
        "beacons is present once the project has beacons",
        "worker/http/customers/beacons.test.ts > shows no list of beacons where the project has none, and never those of the other environment",
        `${CASES} > are on the user once the project has some: none, then an empty list, then those in range`,
      ],
      "user.fraud": [
        "fraud is present if fraud detection is enabled",
        "worker/http/customers/conversions.test.ts > are silent unless the project has switched them on",
        "worker/http/customers/conversions.test.ts > show on the user, with the time of each failure or null",
      ],
      "user.segments": [
        "segments lists the segments' descriptions and externalIds",
        "worker/http/customers/segments.test.ts > show at once in the answer and in track, within a second in look-ups, and outlive the tracker's memory",
      ],
      "user.top-chains": [
        "topChains lists the most visited chains",
        "worker/http/customers/top-chains.test.ts > a user shows the chains it visits most, with the customer's ids, and a walk past counts for nothing",
      ],
      "user.updated-at": [
        "updatedAt is the time of the last update of the location",
        "core/tracking/chronology.test.ts > is the device's own when it is later than the last, and events carry both clocks",
      ],
      "event.confidence": [
        "An event has a confidence, derived from the location accuracy",
        "core/tracking/geofences.test.ts > is believed with $confidence at $metres m from the centre with an accuracy of $accuracy m",
      ],
      "event.user": [
        "An event includes some fields of its user",
        "core/tracking/chronology.test.ts > shows the user in its events as far as events do",
      ],
      "place.chain-mapping": [
        "A mapped chain includes the customer's id and metadata",
        "worker/http/project/geodata.test.ts > tells the place, with the project's own id and metadata of its chain",
      ],
      "geofence.geometry": [
        "A search returns geometry unless includeGeometry is false",
        "worker/http/customers/geofence-search.test.ts > shows each geofence as it is read elsewhere, with geometry unless it is not wanted",
      ],
    },
  },
  {
    title: "Beacons",
    statements: {
      "beacon.identifiers": [
        "An iBeacon requires uuid, major and minor; an Eddystone beacon requires uid and instance",
        "worker/http/customers/beacons.test.ts > refuses %s = %j by name",
        "worker/http/customers/beacons.test.ts > asks an Eddystone beacon for its %s",
      ],
      "beacon.required": [
        "type, description, coordinates and enabled are required",
        "worker/http/customers/beacons.test.ts > refuses %s = %j by name",
        "worker/http/reference/every-endpoint.test.ts > names the parameter that is missing",
      ],
      "beacon.metadata": ["metadata can have up to 16 keys", `${CASES} > hold 16 keys of metadata and not 17`],
      "beacon.pair": [
        "tag and externalId together identify a beacon; creating it again updates it",
        "worker/http/customers/beacons.test.ts > updates the beacon with the same tag and externalId",
        "worker/http/customers/beacons.test.ts > keeps beacons apart that have no full pair",
      ],
      "beacon.reimport": [
        "Importing the pair again can disable the beacon or change its identifiers",
        "worker/http/customers/beacon-imports.test.ts > updates the beacon with the pair of a row: disabled, or with new identifiers",
      ],
      "beacon.disabled": [
        "A disabled beacon generates no events until it is enabled again",
        "worker/http/customers/beacons.test.ts > makes no events with a disabled beacon, not even when it goes, and again when it is enabled",
      ],
      "beacon.exit": [
        "Beacons generate exit events (here: on the first update without the beacon)",
        "worker/http/customers/beacons.test.ts > enters the first time it hears one, stays, and exits when the list no longer holds it",
      ],
      "beacon.shown": [
        "A user's beacons include type, identifiers, description, tag, externalId and enabled",
        "worker/http/customers/beacons.test.ts > enters the first time it hears one, stays, and exits when the list no longer holds it",
        `${HERE} > has $path ($type)`,
      ],
      "beacon.create": [
        "POST /v1/beacons creates a beacon, also under /api",
        "worker/http/customers/beacons.test.ts > takes a form with JSON texts as it takes JSON, also under /api",
      ],
      "beacon.upsert": [
        "PUT /v1/beacons/:tag/:externalId creates or replaces a beacon",
        "worker/http/customers/beacons.test.ts > is found, replaced and deleted by its pair and by its id, in its own environment only",
      ],
      "beacon.csv": [
        "A CSV file has a header row and the twelve columns, in any order",
        "worker/http/customers/beacon-imports.test.ts > takes columns in any order, without those nobody needs, and passes over others",
        "worker/http/customers/beacon-imports.test.ts > a file %s costs a sentence",
      ],
      "beacon.csv-update": [
        "A row with an existing pair updates its beacon; any other row creates one",
        "worker/http/customers/beacon-imports.test.ts > updates the beacon with the pair of a row: disabled, or with new identifiers",
        "worker/http/customers/beacon-imports.test.ts > changes nothing when the same file comes again, also for rows without a pair",
      ],
      "beacon.history": [
        "Imports are listed",
        "worker/http/customers/beacon-imports.test.ts > keeps a history with the rows that failed, newest first, per environment",
      ],
    },
  },
  {
    title: "Track",
    statements: {
      "track.answer": [
        "Returns the user, and the events that the project's settings include",
        "worker/http/track/track.test.ts > walks into a geofence and out again, with all that a client reads",
        "worker/http/track/replay-and-sync.test.ts > shows the events that the project wants to see in the answer, and makes them all",
      ],
      "track.stateful": [
        "Results depend on previous updates",
        "worker/http/track/track.test.ts > remembers where a device is when its object was put away",
      ],
      "track.identity": [
        "Finds or creates the device, or the user of the device",
        "worker/http/track/track.test.ts > gives a userId the record of its device, and another userId another record",
      ],
      "track.chronology": [
        "Historical points are sent in order; a time that is not chronological is ignored",
        "worker/http/track/track.test.ts > takes historical points in order with their own times",
        "core/tracking/chronology.test.ts > is the server's for a live update whose time is not later than the last: location, events and updatedAt",
        "core/tracking/chronology.test.ts > is the server's when the device gives none",
      ],
      "track.replayed": [
        "Replayed points are marked",
        "worker/http/track/replay-and-sync.test.ts > applies points in the order of their time, marks their events, and answers with the user after the last",
      ],
    },
  },
  {
    title: "Context, geocoding, search",
    statements: {
      "context.stateless": ["A context request stores nothing", "worker/http/track/context.test.ts > stores nothing"],
      "forward.confidence": [
        "confidence is exact, interpolated or fallback (the surrounding region)",
        "core/geocoding/demo-world.test.ts > are found, exactly and first, when they are complete",
        "core/geocoding/demo-world.test.ts > never answer exactly for a number that is not there",
        "worker/http/conformance/conformance-geo-rules.test.ts > is exact for a known number, and interpolated halfway between two of the same side",
        "worker/http/conformance/conformance-geo-rules.test.ts > is fallback for the street, or the town, where the number or the street is unknown",
      ],
      "forward.country": [
        "Returns results in the specified countries only",
        "worker/http/conformance/conformance-geocoding.test.ts > has results in the given countries only",
        "worker/http/geocode/geocode.test.ts > shows only countries and layers asked for",
      ],
      "forward.lang": [
        "lang sets the language of names",
        "worker/http/geocode/geocode.test.ts > says in the language asked for what the country is called",
        "worker/http/conformance/conformance-geo.test.ts > $id: $effect",
      ],
      "reverse.distance": [
        "Returns the house, then the features around it, with distances",
        "worker/http/geocode/geocode.test.ts > tells the house, then what lies around it, with distances",
        "worker/http/conformance/conformance-geo.test.ts > $id: $effect",
      ],
      "ip.requester": [
        "Locates the requester's IP address and ignores headers",
        "worker/http/geocode/geocode.test.ts > tells where the connection comes from, and nothing a client claims in a header",
        "worker/http/conformance/conformance-geo-rules.test.ts > is of the connection's country, and no header or parameter moves it",
      ],
      "ip.fields": [
        "Includes state, postalCode, city and timeZone if known",
        "worker/http/geocode/geocode-ip.test.ts > is taken over",
        "worker/http/conformance/conformance-geo-rules.test.ts > shows where the connection comes from: position, country, state, city, postal code and time zone",
        "worker/http/geocode/geocode-ip.test.ts > tells exits of Tor and networks of rented servers",
      ],
      "autocomplete.sorted": [
        "Sorted by relevance and distance",
        "worker/http/geocode/geocode.test.ts > finds a house by the beginning of its street, near by",
        "worker/http/conformance/conformance-geo.test.ts > $id: $effect",
      ],
      "autocomplete.near": [
        "Without near, results are biased to the location of the connection",
        `${HERE} > is around the place of the connection`,
      ],
      "autocomplete.full": [
        "layers=address with countryCode=US,CA completes full addresses",
        "worker/http/conformance/conformance-geo.test.ts > $id: $effect",
      ],
      "time-zone": [
        "A time zone has a name, the current time and offsets",
        "worker/wire/address.test.ts > tells all six fields of its time zone at that moment",
        "core/regions/time-zone.test.ts > has local time with offset and no milliseconds, and the share of daylight saving",
      ],
      "search-users.sorted": [
        "Users sorted by distance, filtered by limit, radius and metadata",
        "worker/http/track/track.test.ts > sorts by distance and honours radius, limit and metadata with inferred types",
      ],
      "search-users.mode": [
        "With a mode, the radius is minutes of travel",
        "worker/http/routes/travel-time.test.ts > finds who is reached by %s within %d minutes, the nearest in time first",
      ],
      "search-users.metadata": [
        "The type of metadata is inferred",
        EFFECTS,
        "worker/http/track/read-after-track.test.ts > finds 5 by metadata[n]=5.0, and nothing by what only looks like it",
      ],
      "search-geofences.sorted": [
        "Geofences sorted by distance, filtered by tags and metadata",
        "worker/http/customers/geofence-search.test.ts > with %s answers what is enabled, nearest edge first",
        "worker/http/customers/geofence-search.test.ts > are found as by looking at each of them",
      ],
      "forward.layers": [
        "Without layers, returns address and coarse results, unless the project sets another default",
        "worker/http/conformance/conformance-geocoding.test.ts > without layers has addresses and coarse results, and no places",
        "worker/http/conformance/conformance-geocoding.test.ts > searches the layers that the project has set as its default",
      ],
      "address.borough": [
        "Includes borough and neighborhood if the data has them",
        "worker/http/conformance/conformance-geocoding.test.ts > has the borough and the neighborhood of the point",
      ],
      "search-geofences.limit": [
        "Returns at most limit geofences: 100 by default, up to 1000",
        "worker/http/conformance/conformance-geocoding.test.ts > shows 100 geofences without a limit, and as many as the limit allows",
      ],
      "search-geofences.many": [
        "A limit over 100 requires includeGeometry=false",
        EFFECTS,
        `${HERE} > with more than 100 results needs them without geometry`,
      ],
      "search-places.sorted": [
        "Places within the radius, sorted by distance",
        "worker/http/project/geodata.test.ts > finds chains and categories, nearest first, within radius and limit",
      ],
      "search-places.mapped": [
        "Chains by slug or mapped id, filtered by their metadata",
        "worker/http/project/geodata.test.ts > takes mapped ids for chains and filters by their metadata, with inferred types",
      ],
      "search-places.needs": [
        "Chains or categories are required, unless iataCode is set, which requires nothing else",
        "worker/http/project/geodata.test.ts > refuses %s",
        "worker/http/project/geodata.test.ts > finds an airport by its code and needs nothing else for it",
      ],
    },
  },
  {
    title: "Address validation",
    statements: {
      "validate.countries": [
        "The US and Canada only",
        "worker/http/geocode/address-validation.test.ts > works in Canada, with and without the blank of the postal code",
        "worker/http/geocode/address-validation.test.ts > %s is refused by name",
      ],
      "validate.label": [
        "Requires either addressLabel or number and street",
        "worker/http/geocode/address-validation.test.ts > takes addressLabel in place of number and street, and these before it",
      ],
      "validate.fields": [
        "The validated address has all its fields; plus4 and county if known",
        "worker/http/geocode/address-validation.test.ts > answers every field of an address that is in the data, upper case",
        "core/addresses/validate.test.ts > are returned: the ZIP+4 add-on and the use of the building",
      ],
      "validate.plus4": [
        "plus4 is present only if the source has it",
        "worker/http/conformance/conformance-geocoding.test.ts > has plus4 where the source has it, whatever the request says",
      ],
      "validate.property-type": [
        "metadata.propertyType is residential or commercial, if the source has it",
        "worker/http/conformance/conformance-geocoding.test.ts > has propertyType where the source says what the building is for",
      ],
      "validate.postal-code": [
        "postalCode is required",
        "worker/http/conformance/conformance-geocoding.test.ts > needs a postal code: without one it is a 400 that names it",
      ],
      "validate.verified": [
        "verified: one full match",
        "core/addresses/validate.test.ts > in other words is verified: %s",
      ],
      "validate.partially": [
        "partially verified: some fields match",
        "core/addresses/validate.test.ts > with another %s is partially verified",
      ],
      "validate.ambiguous": [
        "ambiguous: several match closely",
        "core/addresses/validate.test.ts > are ambiguous where %s, and none is chosen",
      ],
      "validate.unverified": [
        "unverified: cannot be verified",
        "core/addresses/validate.test.ts > %s is never verified, and stays as it was given",
      ],
      "validate.record-type": [
        "recordType is S, P, R, H, F or G",
        "core/addresses/validate.test.ts > %s has the type of record %s",
      ],
      "validate.unit": [
        "analysis reports a missing or invalid unit",
        "worker/http/conformance/conformance-geocoding.test.ts > is not verified with a unit that is not known there, and the analysis says why",
        "core/addresses/validate.test.ts > %s is %s",
        "worker/http/reference/shapes.test.ts > have all the fields that the reference says they have, and none that it does not show",
      ],
    },
  },
  {
    title: "Routing",
    statements: {
      "distance.units": [
        "Meters for metric, feet for imperial",
        "worker/http/routes/routes.test.ts > tells the straight line and every mode, in feet and miles unless asked otherwise",
        "worker/http/conformance/conformance-routes.test.ts > $id: $effect",
      ],
      "distance.avoid": [
        "avoid keeps routes off tolls, highways, ferries and border crossings",
        "worker/http/routes/routes.test.ts > avoids %s where there is another route, by %s",
        "worker/http/routes/routes.test.ts > avoids border crossings, and uses one where every route crosses the border",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as it is in the source
        "core/routing/routes.test.ts > is left for a longer way: ${name} by ${tags || JSON.stringify(nodes)}",
      ],
      "distance.traffic": [
        "departureTime selects the traffic; defaults to now",
        "worker/http/routes/traffic.test.ts > is read by the clocks at the start, summer time included",
        "worker/http/routes/traffic.test.ts > is now when it is left out",
      ],
      "matrix.size": ["Up to 625 routes", "worker/http/routes/routes.test.ts > takes 625 routes and no more"],
      "matrix.cells": [
        "One cell for each pair, with its indices",
        "worker/http/routes/routes.test.ts > has a cell for every pair, equal to the distance endpoint's answer",
      ],
      "match.snaps": [
        "Snaps points to the most likely roads",
        "worker/http/routes/match.test.ts > finds the drive again, point by point",
      ],
      "match.attributes": [
        "speedLimit, names and roadClass along the path",
        "worker/http/routes/match.test.ts > tells what the roads are like, from one end to the other without a gap",
      ],
      "match.units": [
        "Lengths and speeds in the requested units",
        "worker/http/routes/match.test.ts > tells lengths and speeds in the units asked for",
      ],
      "match.details": [
        "Each point can have createdAt and accuracy",
        "worker/http/routes/match.test.ts > takes the times and accuracies that devices send, nulls included",
        "worker/http/conformance/conformance-routes.test.ts > $id: $effect",
      ],
      "match.road-class": [
        "roadClass is one of eight, from motorway to service_other",
        "importer/layers/roads/way-classes.test.ts",
      ],
      "directions.order": [
        "Visits locations in the given order",
        "worker/http/routes/routes.test.ts > visits locations in order, a leg between each two",
        "worker/http/conformance/conformance-routes.test.ts > $id: $effect",
      ],
      "directions.count": [
        "Up to 25 locations",
        "worker/http/routes/routes.test.ts > visits locations in order, a leg between each two",
      ],
      "directions.heading": [
        "heading is the initial direction: north 0, east 90, south 180, west 270",
        "worker/http/routes/routes.test.ts > starts within 60 degrees of heading, which changes the route",
      ],
      "directions.alternatives": [
        "alternatives adds other routes, between exactly two locations; default false",
        "worker/http/routes/routes.test.ts > adds other routes to the best one with alternatives, and none by default",
        "worker/http/routes/routes.test.ts > gives alternatives for two locations only",
      ],
      "directions.lang": [
        "Eight languages",
        "worker/http/routes/routes.test.ts > speaks eight languages",
        "worker/http/conformance/conformance-routes.test.ts > $id: $effect",
      ],
      "directions.steps": [
        "Routes, legs and steps with all their fields, exit_name on exits, and the spelling manuever",
        "worker/http/routes/routes.test.ts > gives route, legs and steps with every field of the specification",
        "core/routing/guidance/build-steps.test.ts > is %s",
      ],
      "optimize.order": [
        "Returns the best order, and the start and end location of each leg",
        "worker/http/routes/optimize.test.ts > visits the stops in the best order and says which locations each leg joins",
      ],
      "optimize.ends": [
        "The first location is the origin, the last the final destination",
        "worker/http/routes/optimize.test.ts > keeps the first and the last location, also where another order is quicker",
        "worker/http/routes/optimize.test.ts > makes a round trip of an origin that is the destination",
      ],
      "optimize.count": ["Up to 10 locations", "worker/http/routes/optimize.test.ts > takes 2 to 10 locations"],
    },
  },
  {
    title: "Static maps",
    statements: {
      "map.scale": [
        "scale=2 doubles the image size for the same area",
        "worker/http/maps/static-map.test.ts > answers a PNG of width × height, times scale",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.autofit": [
        "Without center and zoom, the map fits all markers and paths",
        "core/maps/view.test.ts > has every marker in view with its pin, 16 pixels from the edge, wherever they are",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.several": [
        "Repeat markers for several marker styles",
        "worker/http/maps/static-map.test.ts > draws each markers parameter in its own style",
      ],
      "map.marker-color": [
        "Marker colors are hex or names, 0x000257 by default",
        "core/maps/overlay/overlay-parameters.test.ts > take their color from %s",
        "core/maps/overlay/overlay-parameters.test.ts > are default pins where only locations are given",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.marker-size": [
        "size:small draws a smaller marker",
        "core/maps/overlay/overlay-parameters.test.ts > are as large as their size says",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.marker-icon": [
        "An icon is a URL or the id of an upload, at most 64 × 64 pixels",
        "core/maps/overlay/overlay-parameters.test.ts > keep the colons of an icon's URL",
        "worker/http/maps/static-map-uploads.test.ts > is drawn where markers name it, until it is deleted",
        "core/maps/picture.test.ts > may be as large as other pictures, and is made smaller before it is drawn",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.path-default": [
        "By default, a path is 0x000257, 3 pixels wide, with a white 2-pixel border",
        "core/maps/overlay/overlay-parameters.test.ts > is navy, 3 pixels wide, with 2 pixels of white around, if nothing else is said",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
      "map.path-options": [
        "stroke, width, border and borderWidth precede the locations",
        "core/maps/overlay/overlay-parameters.test.ts > takes options in any case, and an empty first section",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
        "core/maps/overlay/overlay-parameters.test.ts > is refused, with the section named: %s",
      ],
      "map.path-encoded": [
        "enc: and enc6: accept encoded polylines, including those of the routing endpoints",
        "core/maps/overlay/overlay-parameters.test.ts > holds every line that the routing endpoints encode, bars and all",
        "worker/http/conformance/conformance-maps.test.ts > $id: $effect",
      ],
    },
  },
  {
    title: "Keys",
    statements: {
      "key.header": [
        "Every request sends its key in the Authorization header",
        "worker/http/reference/every-endpoint.test.ts > $method $path refuses a request without a key",
        "worker/http/project/keys.test.ts > come bare, behind Bearer in any case, or as publishableKey in the query; the header counts first",
      ],
      "key.four": [
        "A project has four keys, shown on the dashboard's settings page",
        "dashboard/settings.worker.test.ts",
        "server/commands/projects.test.ts",
      ],
      "key.levels": [
        "Endpoints are publishable or secret",
        "worker/http/reference/every-endpoint.test.ts > with level secret refuses a publishable key with 403",
        `${HERE} > needs a publishable key, and a secret one for a search of users and for beacons`,
      ],
      "key.environments": [
        "Test and live data are separate",
        "worker/http/project/scopes-everywhere.test.ts > no endpoint shows or changes what another scope has",
      ],
      "key.invalid": [
        "An unknown key returns 401",
        "worker/http/reference/every-endpoint.test.ts > $method $path refuses a key nobody has and never repeats it",
      ],
    },
  },
  {
    title: "Events",
    statements: {
      "events.geofence": [
        "user.entered_geofence, with the geofence",
        "worker/http/track/track.test.ts > walks into a geofence and out again, with all that a client reads",
      ],
      "events.place": [
        "user.entered_place, with the place",
        "worker/http/project/geodata.test.ts > enters a place when it stops there, and not when it drives by",
      ],
      "events.beacon": [
        "user.entered_beacon and user.exited_beacon",
        "worker/http/customers/beacons.test.ts > enters the first time it hears one, stays, and exits when the list no longer holds it",
      ],
      "events.made": [
        "Location updates generate events, which the response includes",
        "worker/http/track/replay-and-sync.test.ts > shows the events that the project wants to see in the answer, and makes them all",
      ],
      "events.delivered": [
        "The SDK and webhooks deliver events, for beacons as for geofences",
        "client/sdk/radar-sdk-js.test.ts > tracks a device from outside into a geofence, inside it, and out again",
        "client/sdk/radar-sdk-js.test.ts > is told of the beacons around, as the mobile SDKs ask for them",
        "core/webhooks/delivery.worker.test.ts > reaches its webhook, signed in both schemes, exactly as the API shows it",
        "core/webhooks/delivery.worker.test.ts > of a beacon is delivered in the same form and with the same signatures as one of a geofence",
      ],
    },
  },
  {
    title: "Errors",
    statements: {
      "error.body": [
        "meta has code and message, and param if a parameter is invalid",
        "worker/http/reference/every-endpoint.test.ts > names the parameter that is missing",
      ],
      "error.range": [
        "The message contains the valid range",
        "worker/http/reference/every-endpoint.test.ts > refuses numbers outside their range, by name and with the range",
      ],
      "error.200": [
        "200",
        "worker/http/running/http-layer.test.ts > say meta.code 200 and have a request id of their own",
      ],
      "error.202": [
        "202 is never returned: no operation defers its work with this status",
        "worker/http/reference/every-endpoint.test.ts > tells in the document whatever it answers to ids nobody has, odd paths, broken bodies and a paused project",
        "worker/http/conformance/conformance-geo-rules.test.ts > never respond with 202: no operation has this status",
      ],
      "error.400": [
        "400 for a missing or invalid parameter",
        "worker/http/reference/every-endpoint.test.ts > names the parameter that is missing",
      ],
      "error.401": [
        "401 for an invalid key",
        "worker/http/reference/every-endpoint.test.ts > $method $path refuses a key nobody has and never repeats it",
      ],
      "error.402": [
        "402 for a project that is disabled or over its quota",
        "worker/http/project/keys.test.ts > is required of a disabled project, by every key, and of no other project",
        "worker/http/project/keys.test.ts > is required when the month's quota is used up, test and live together, and of no other project",
      ],
      "error.403": [
        "403 for a key with insufficient access",
        "worker/http/reference/every-endpoint.test.ts > with level secret refuses a publishable key with 403",
      ],
      "error.404": [
        "404 for a resource that does not exist",
        "worker/http/customers/geofences.test.ts > deletes by id and by pair, once",
      ],
      "error.409": [
        "409 for a conflict",
        "worker/http/customers/geofences.test.ts > refuses to make a second geofence with the same tag and externalId, and changes nothing",
      ],
      "error.429": [
        "429 over a rate limit; nothing changes",
        "worker/http/track/track.test.ts > refuses more than one update per second and device, and changes nothing by it",
      ],
      "error.451": [
        "451 if the project blocks the country",
        "worker/http/geocode/blocked-countries.test.ts > a call with a publishable key from a blocked country is refused with 451, on every such endpoint",
      ],
      "error.500": [
        "500 for a server error",
        "worker/http/running/http-layer.test.ts > is a 500 with the request id, which tells nothing of its cause; the id leads to the cause in the log",
      ],
      "error.503": [
        "503 while the service is temporarily unavailable",
        "worker/http/running/database-away.test.ts > while the database is locked, what needs it says 503 and when to come again, the rest goes on, and nothing is restarted",
      ],
    },
  },
  {
    title: "Limits",
    statements: {
      "limit.table": [
        "Calls per second as in the table: context, geocoding and autocomplete 10; users and geofences 100; places 150; validation and distance 100; matrix 20; match, directions and optimize 10",
        "core/limits/calls-per-second.test.ts > of %s are at most %d; a second later there are as many again",
        "worker/http/reference/every-endpoint.test.ts > answers 429 above its limit, says so in the headers, and lets through again later",
      ],
      "limit.track": [
        "Track: 1 call per second and device",
        "worker/http/track/track.test.ts > refuses more than one update per second and device, and changes nothing by it",
        "core/limits/limits.test.ts > lets a device send once a second, to the millisecond",
      ],
      "limit.ip": [
        "IP geocode: 10 calls per second and IP address",
        "core/limits/calls-per-second.test.ts > are at most 10 for an IP address, whatever other addresses do",
        "worker/http/geocode/geocode-ip.test.ts > answers 429 when one address asks too often",
      ],
      "limit.raised": ["Limits can be raised", "worker/http/project/keys.test.ts > can be raised"],
      "limit.metadata": [
        "32 metadata keys per user, 16 per beacon",
        "worker/http/track/track.test.ts > takes the metadata keys that the SDK may send, up to 32, and text for numbers and booleans from a form",
        "worker/http/customers/beacons.test.ts > refuses %s = %j by name",
      ],
      "limit.routes": [
        "625 routes per matrix, 25 locations for directions, 10 for an optimization",
        "worker/http/routes/routes.test.ts > takes 625 routes and no more",
        "worker/http/routes/routes.test.ts > visits locations in order, a leg between each two",
        "worker/http/routes/optimize.test.ts > takes 2 to 10 locations",
      ],
      "limit.beacons": [
        "Returns beacons within 1 kilometer",
        "worker/http/customers/beacons.test.ts > finds enabled beacons within a kilometre, nearest first, at most ten",
      ],
    },
  },
  {
    title: "Versions",
    statements: {
      "version.path": [
        "Every path except the static map starts with /v1",
        `${HERE} > comes from below /v1, but for a map`,
        "worker/http/conformance/conformance-geo-rules.test.ts > are there with their prefix alone",
      ],
    },
  },
  {
    title: "Meetings and driving, beyond the specification",
    statements: {
      "own.meetings": [
        "Two users that come near each other, and part, have one event each, whatever the order, repeats, late updates or restarts",
        "core/engagement/meetings/meetings.test.ts > are those of all pairs compared after each update, %s",
        "worker/http/motion/meetings.test.ts > have the same events when their objects restart between all writes",
      ],
      "own.meetings-end": [
        "A meeting ends beyond the radius and both accuracies",
        "core/engagement/meetings/meetings.test.ts > end only beyond the radius and both accuracies",
      ],
      "own.meetings-persons": [
        "A user with several devices meets another once, and never itself",
        "core/engagement/meetings/meetings.test.ts > of a user with two phones count once, and never with itself",
      ],
      "own.meetings-free": [
        "Without rules an update makes no further call, nor within the safe circle of a user",
        "core/engagement/meetings/meetings.test.ts > cost no call while a user moves within its safe circle, and none without rules",
      ],
      "own.meetings-private": [
        "A publishable key receives no event of a meeting",
        "worker/http/motion/meetings.test.ts > meet once and part once, each with an event",
      ],
      "own.speed-limits": [
        "An excess of a road's limit has one event after ten seconds, and one when the user keeps to it again",
        "core/tracking/motion/driving.test.ts > an excess has one event after ten seconds, and one when the driver keeps to the limit again",
      ],
      "own.geofence-limits": [
        "A geofence may have a speed limit of its own",
        "core/tracking/motion/driving.test.ts > a geofence with a limit of its own replaces that of the road, with or without roads",
      ],
      "own.routes": [
        "A user that leaves the planned route of its trip has an event, and one when it returns",
        "core/tracking/motion/routes.test.ts > that is left and found again has both events, also over another street",
        "core/tracking/motion/routes.test.ts > is compared with the tolerance of the trip, if it has one; 0 disables it",
      ],
      "own.driving-given-route": [
        "A route that came with the trip is watched also without roads, from where its user first is on it",
        "core/tracking/motion/routes.test.ts > that came with the trip is left only by a user that has been on it, and not stored in events",
        "worker/http/motion/given-routes.test.ts > is compared also where no roads are, and can be replaced",
      ],
      "own.driving-explained": [
        "Events about driving are explained, in lists, exports and campaigns",
        "worker/http/motion/driving.test.ts > is explained, event by event and at a time",
        "worker/http/motion/driving.test.ts > is in lists by type, and in exports",
        "worker/http/motion/driving.test.ts > triggers campaigns",
      ],
    },
  },
];

/** Statements that a server cannot prove. */
export const NOT_OURS: readonly [says: string, why: string][] = [
  [
    "Ranging requires location and Bluetooth permissions, and background modes on the phone",
    "depends on the SDK and the phone",
  ],
  [
    "Foreground ranging is one call with a flag; background monitoring is an option of continuous tracking",
    "the SDK's own API",
  ],
  [
    "Beacons and address validation belong to enterprise plans; limits are raised by an account manager",
    "no plans exist: an operator has all features and sets limits with `npm run project`",
  ],
  ["userId holds no personal data", "the caller's responsibility; a server cannot check it"],
  ["userId is needed for pricing by monthly users", "no such pricing exists"],
  ["Matching works best with points less than 10 s apart", "advice"],
];
