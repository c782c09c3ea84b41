/* Generated from /openapi.json: WRITE_CLIENT=1 npx vitest run test/client/sdk/client-files.test.ts */
export interface components {
    schemas: {
        Address: {
            /** @description Id of a house or place in the data, for /v1/addresses/:id and, for the layer place, /v1/places/:id; stable across imports */
            id?: string;
            latitude: number;
            longitude: number;
            geometry: components["schemas"]["Point"];
            country?: string;
            countryCode?: string;
            countryFlag?: string;
            county?: string;
            borough?: string;
            city?: string;
            number?: string;
            unit?: string;
            neighborhood?: string;
            postalCode?: string;
            stateCode?: string;
            state?: string;
            street?: string;
            layer: string;
            formattedAddress: string;
            addressLabel: string;
            placeLabel?: string;
            /** @description Name of a place or a region */
            name?: string;
            /** @description Meters */
            distance?: number;
            /** @enum {string} */
            confidence?: "exact" | "interpolated" | "fallback";
            /**
             * @description What the point of an address is: the building or its entrance, its plot (or a point whose source does not say), a point between known houses, or only the street
             * @enum {string}
             */
            precision?: "rooftop" | "parcel" | "interpolated" | "street";
            /** @description Sources that have the house or place, that of the point first */
            sources?: string[];
            /** @description Parts of `formattedAddress` that match the query: pairs of positions [from, to), in UTF-16 units as in JavaScript */
            matched?: number[][];
            timeZone: {
                id: string;
                name: string;
                code: string;
                currentTime: string;
                /** @description UTC offset in seconds, including daylight saving */
                utcOffset: number;
                /** @description Seconds */
                dstOffset: number;
            };
        };
        Alert: {
            /** @description Unique id; the same for retries */
            _id: string;
            /** @enum {string} */
            type: "alert.outbox" | "alert.dead_letters" | "alert.error_rate" | "alert.geodata_age" | "alert.disk" | "alert.archive" | "alert.storage" | "alert.eta_error";
            live: boolean;
            /** @description When the condition was found; if it is over, when it was last found */
            createdAt: string;
            actualCreatedAt: string;
            alert: {
                /** @enum {string} */
                state: "begun" | "over";
                since: string;
                /** @description When the condition ended */
                until?: string;
                /** @description Name of the geodata or of the database, or the mode of travel */
                subject?: string;
                /** @description Last value: seconds, messages, percent, days, percent or runs, depending on the type */
                value: number;
                limit: number;
                /** @description Explanation and recommended action */
                message: string;
            };
        };
        AlertMessage: {
            event: components["schemas"]["Alert"];
        };
        Beacon: {
            _id: string;
            /** @enum {string} */
            type: "ibeacon" | "eddystone";
            uuid?: string;
            major?: string;
            minor?: string;
            uid?: string;
            instance?: string;
            description: string;
            tag?: string;
            externalId?: string;
            enabled: boolean;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            createdAt: string;
            updatedAt: string;
            live: boolean;
            geometry: components["schemas"]["Point"];
        };
        BeaconLabel: {
            _id: string;
            /** @enum {string} */
            type: "ibeacon" | "eddystone";
            uuid?: string;
            major?: string;
            minor?: string;
            uid?: string;
            instance?: string;
            description: string;
            tag?: string;
            externalId?: string;
            enabled: boolean;
            metadata?: {
                [key: string]: string | number | boolean;
            };
        };
        Campaign: {
            _id: string;
            live: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            name: string;
            /** @enum {string} */
            type: "inAppMessage" | "eventNotification" | "geofenceNotification";
            enabled: boolean;
            trigger: {
                event?: string;
                geofenceTags?: string[];
                geofenceIds?: string[];
                beaconTags?: string[];
                placeChains?: string[];
                categories?: string[];
                tripModes?: string[];
                minimumConfidence?: number;
            };
            audience?: {
                /** @description the user's metadata has all of these values */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
                /** @description externalIds; the user is in one of them */
                segments?: string[];
                /** @description userId, deviceId or _id */
                userIds?: string[];
                deviceTypes?: string[];
                exclude?: {
                    /** @description the user's metadata has all of these values */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description externalIds; the user is in one of them */
                    segments?: string[];
                    /** @description userId, deviceId or _id */
                    userIds?: string[];
                    deviceTypes?: string[];
                };
            };
            content?: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            variants?: {
                weight: number;
                content: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            }[];
            /** @description share of users that get no message, for comparison */
            holdout?: number;
            /** @description a logged event with this name within `days` counts as a conversion */
            goal?: {
                event: string;
                days: number;
            };
            schedule?: {
                startsAt?: string;
                endsAt?: string;
                daysOfWeek?: ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                hours?: string[][];
                timeZone?: string;
                operatingHours?: boolean;
            };
            limits?: {
                perUser?: number;
                days?: number;
                cooldownMinutes?: number;
                total?: number;
            };
            /** @description images that could not be loaded: messages are sent without them */
            missingImages?: string[];
            /** @description of the last 13 months */
            stats?: {
                sent: number;
                displayed: number;
                clicked: number;
                dismissed: number;
                opened: number;
                conversions: number;
                /** @description users that got their first message */
                users: number;
                /** @description the last 30 days, those with counts */
                days?: {
                    /** @description UTC */
                    day: string;
                    sent: number;
                    displayed: number;
                    clicked: number;
                    dismissed: number;
                    opened: number;
                    conversions: number;
                    /** @description users that got their first message */
                    users: number;
                }[];
                variants?: {
                    /** @description position, from 0; -1 = the holdout */
                    variant: number;
                    sent: number;
                    displayed: number;
                    clicked: number;
                    dismissed: number;
                    opened: number;
                    conversions: number;
                    /** @description users that got their first message */
                    users: number;
                    /** @description users that converted */
                    converted: number;
                    /** @description converted / users */
                    rate: number;
                    /** @description of the rate (Wilson 1927) */
                    interval: number[];
                    /** @description rate minus that of the holdout, else of variant 0 */
                    difference?: number;
                    /** @description Newcombe 1998, method 10 */
                    differenceInterval?: number[];
                }[];
            };
        };
        Coordinate: {
            latitude: number;
            longitude: number;
        };
        Event: {
            _id: string;
            type: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            actualCreatedAt: string;
            live: boolean;
            user: {
                _id: string;
                userId?: string;
                /** @description Absent if the caller has not proven to know the user */
                deviceId?: string;
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            geofence?: components["schemas"]["GeofenceLabel"];
            place?: components["schemas"]["Place"];
            /** @description Place entries: other places where the device may be */
            alternatePlaces?: components["schemas"]["Place"][];
            region?: components["schemas"]["Region"];
            beacon?: components["schemas"]["BeaconLabel"];
            trip?: components["schemas"]["Trip"];
            /** @description Trips with several legs: the leg of the event */
            leg?: components["schemas"]["TripLeg"];
            fraud?: components["schemas"]["Fraud"];
            /** @description Campaign events, and conversions that name a campaign */
            campaign?: {
                _id: string;
                name: string;
                type: string;
                /** @description position of the variant, from 0 */
                variant?: number;
                /** @description _id of the event that triggered the message */
                event?: string;
            };
            /** @description Conversions: the logged metadata. In responses of updates: the notification of a campaign */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description Absent if the user has never been located */
            location?: components["schemas"]["Point"];
            locationAccuracy?: number;
            /** @description 3 = high, 2 = medium, 1 = low */
            confidence: number;
            /** @description Exits: minutes since the entry */
            duration?: number;
            /** @description 1 accepted, -1 rejected, 0 neither */
            verification?: number;
            verifiedPlaceId?: string;
            replayed?: boolean;
            /** @description true: a conversion */
            custom?: boolean;
            /** @description This and the following fields are from the update */
            deviceType?: string;
            deviceMake?: string;
            deviceModel?: string;
            deviceOS?: string;
            sdkVersion?: string;
            foreground?: boolean;
            stopped?: boolean;
            locationAuthorization?: string;
            locationAccuracyAuthorization?: string;
        };
        EventMessage: {
            event: components["schemas"]["Event"];
            user?: components["schemas"]["User"];
        };
        FoundPlace: {
            _id: string;
            name: string;
            chain?: {
                slug: string;
                name: string;
                domain?: string;
                externalId?: string;
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            categories: string[];
            location: components["schemas"]["Point"];
            address?: components["schemas"]["PlaceAddress"];
            /** @description Who has the place: OpenStreetMap, Overture or operator */
            source?: string;
        };
        Fraud: {
            verified: boolean;
            passed: boolean;
            bypassed: boolean;
            blocked: boolean;
            mocked: boolean;
            jumped: boolean;
            compromised: boolean;
            inaccurate: boolean;
            proxy: boolean;
            sharing: boolean;
            /** @description Time of the last failure, or null */
            lastMockedAt: string | null;
            /** @description Time of the last failure, or null */
            lastJumpedAt: string | null;
            /** @description Time of the last failure, or null */
            lastCompromisedAt: string | null;
            /** @description Time of the last failure, or null */
            lastInaccurateAt: string | null;
            /** @description Time of the last failure, or null */
            lastProxyAt: string | null;
            /** @description Time of the last failure, or null */
            lastSharingAt: string | null;
        };
        Geofence: {
            _id: string;
            createdAt: string;
            updatedAt: string;
            live: boolean;
            tag?: string;
            externalId?: string;
            description: string;
            /** @enum {string} */
            type: "circle" | "polygon" | "isochrone";
            mode?: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            geometryCenter: components["schemas"]["Point"];
            /** @description Radius in meters; for an isochrone, travel time in minutes */
            geometryRadius?: number;
            /** @description GeoJSON Polygon; a circle is approximated with 64 corners */
            geometry?: {
                /** @constant */
                type: "Polygon";
                coordinates: number[][][];
            };
            enabled: boolean;
            dwellThreshold?: number;
            stopDetection?: boolean;
            tripApproachingThreshold?: number;
            operatingHours?: {
                [key: string]: string[][];
            };
            disableAfter?: string;
            deleteAfter?: string;
            userIds?: string[];
            /** @description externalIds: the geofence applies only to users in one of these segments */
            segments?: string[];
            ip?: string[];
        };
        GeofenceLabel: {
            _id: string;
            tag?: string;
            externalId?: string;
            description?: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @enum {string} */
            type?: "circle" | "polygon" | "isochrone";
            geometryCenter?: components["schemas"]["Point"];
            /** @description Radius in meters; for an isochrone, travel time in minutes */
            geometryRadius?: number;
            operatingHours?: {
                [key: string]: string[][];
            };
            /** @description Minutes, if the geofence has its own threshold */
            dwellThreshold?: number;
            stopDetection?: boolean;
        };
        InAppMessage: {
            title: {
                text: string;
                /** @description #RRGGBB */
                color: string;
            };
            body: {
                text: string;
                /** @description #RRGGBB */
                color: string;
            };
            button?: {
                text: string;
                /** @description #RRGGBB */
                color: string;
                backgroundColor: string;
                deepLink?: string;
            };
            image?: {
                name: string;
                /** @description https URL, or id of an uploaded icon (iOS) */
                url: string;
            };
            /** @description radar:campaignId, radar:campaignName, radar:geofenceId, radar:campaignMetadata (JSON) */
            metadata: {
                [key: string]: string | number | boolean;
            };
        };
        /** @description {polyline} or a GeoJSON LineString, as `geometry` asks */
        Line: {
            polyline: string;
        } | {
            /** @constant */
            type: "LineString";
            coordinates: number[][];
        };
        MatchResponse: {
            matchedPath: {
                latitude: number;
                longitude: number;
                originalIndex: number;
            }[];
            roadAttributes?: {
                roadClass?: string;
                speedLimit?: components["schemas"]["Quantity"];
                /** @description travel speed over at least 60 m, if the trace has times */
                speed?: components["schemas"]["Quantity"];
                names?: string[];
                startLocation: components["schemas"]["Coordinate"];
                endLocation: components["schemas"]["Coordinate"];
                originalIndex?: number;
            }[];
            geometry: components["schemas"]["Line"];
            distance: components["schemas"]["Quantity"];
            /** @description meters or feet up, on foot and by bike where elevations are imported */
            ascent?: components["schemas"]["Quantity"];
            /** @description meters or feet down, on foot and by bike where elevations are imported */
            descent?: components["schemas"]["Quantity"];
            /**
             * @description with `format=geojson`
             * @constant
             */
            type?: "FeatureCollection";
            features?: {
                /** @constant */
                type: "Feature";
                properties: {
                    [key: string]: unknown;
                };
                geometry: {
                    /** @constant */
                    type: "LineString";
                    coordinates: number[][];
                };
            }[];
        };
        MessageContent: {
            title: {
                text: string;
                /** @description #RRGGBB */
                color: string;
            };
            body: {
                text: string;
                /** @description #RRGGBB */
                color: string;
            };
            button?: {
                text: string;
                /** @description #RRGGBB */
                color: string;
                backgroundColor: string;
                deepLink?: string;
            };
            image?: {
                name: string;
                /** @description https URL, or id of an uploaded icon (iOS) */
                url: string;
            };
            metadata?: {
                [key: string]: string | number | boolean;
            };
        };
        NotificationContent: {
            text: string;
            title?: string;
            subtitle?: string;
            url?: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description geofence notifications: shown at each entry */
            repeats?: boolean;
        };
        OptimizeFleetResponse: {
            /** @description 0, the success code of VROOM */
            code: number;
            summary: {
                cost: number;
                delivery: number[];
                amount: number[];
                pickup: number[];
                setup: number;
                service: number;
                /** @description driving alone [s] */
                duration: number;
                waiting_time: number;
                priority: number;
                /** @description meters */
                distance: number;
                /** @description always empty: no limit is broken */
                violations: string[];
                routes: number;
                unassigned: number;
            };
            unassigned: {
                id: number;
                /** @enum {string} */
                type: "job" | "pickup" | "delivery";
                /** @description [longitude, latitude] */
                location?: number[];
                location_index?: number;
                description?: string;
                /**
                 * @description why it is unassigned: no vehicle has the skills, the capacity, a route (outside the areas to avoid), a feasible time window, or time within its breaks and limits; `fleet`: a vehicle could do it, but not with its other tasks
                 * @enum {string}
                 */
                reason: "skills" | "capacity" | "unreachable" | "timeWindows" | "limits" | "fleet";
            }[];
            routes: {
                cost: number;
                delivery: number[];
                amount: number[];
                pickup: number[];
                setup: number;
                service: number;
                /** @description driving alone [s] */
                duration: number;
                waiting_time: number;
                priority: number;
                /** @description meters */
                distance: number;
                /** @description always empty: no limit is broken */
                violations: string[];
                vehicle: number;
                description?: string;
                /** @description polyline of 5 digits, with `options.g` */
                geometry?: string;
                steps: {
                    /** @enum {string} */
                    type: "start" | "job" | "pickup" | "delivery" | "break" | "end";
                    id?: number;
                    description?: string;
                    /** @description [longitude, latitude] */
                    location?: number[];
                    location_index?: number;
                    arrival: number;
                    setup: number;
                    service: number;
                    waiting_time: number;
                    /** @description travel time since the start [s] */
                    duration: number;
                    /** @description distance since the start [m] */
                    distance: number;
                    load: number[];
                    /** @description always empty: no limit is broken */
                    violations: string[];
                }[];
            }[];
            /** @description why no plan was found */
            unavailable?: string;
        };
        Place: {
            _id: string;
            name: string;
            chain?: {
                slug: string;
                name: string;
                domain?: string;
                externalId?: string;
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            };
            categories: string[];
            location: components["schemas"]["Point"];
            address?: components["schemas"]["PlaceAddress"];
        };
        PlaceAddress: {
            latitude: number;
            longitude: number;
            geometry: components["schemas"]["Point"];
            country?: string;
            countryCode?: string;
            countryFlag?: string;
            county?: string;
            borough?: string;
            city?: string;
            number?: string;
            unit?: string;
            neighborhood?: string;
            postalCode?: string;
            stateCode?: string;
            state?: string;
            street?: string;
            layer: string;
            formattedAddress: string;
            addressLabel: string;
            placeLabel?: string;
            /** @description Name of a place or a region */
            name?: string;
        };
        /** @description GeoJSON Point: [longitude, latitude] */
        Point: {
            /** @constant */
            type: "Point";
            coordinates: [
                number,
                number
            ];
        };
        Quantity: {
            value: number;
            text: string;
        };
        Region: {
            _id: string;
            type: string;
            code: string;
            name: string;
            flag?: string;
        };
        Route: {
            duration: components["schemas"]["Quantity"];
            distance: components["schemas"]["Quantity"];
            geometry: components["schemas"]["Line"];
            /** @description meters or feet up, on foot and by bike where elevations are imported */
            ascent?: components["schemas"]["Quantity"];
            /** @description meters or feet down, on foot and by bike where elevations are imported */
            descent?: components["schemas"]["Quantity"];
            legs: {
                startLocation: components["schemas"]["Coordinate"];
                endLocation: components["schemas"]["Coordinate"];
                duration: components["schemas"]["Quantity"];
                distance: components["schemas"]["Quantity"];
                geometry: components["schemas"]["Line"];
                /** @description meters or feet up, on foot and by bike where elevations are imported */
                ascent?: components["schemas"]["Quantity"];
                /** @description meters or feet down, on foot and by bike where elevations are imported */
                descent?: components["schemas"]["Quantity"];
                steps: {
                    distance: components["schemas"]["Quantity"];
                    duration: components["schemas"]["Quantity"];
                    start_location: components["schemas"]["Coordinate"];
                    end_location: components["schemas"]["Coordinate"];
                    bearing_before: number;
                    bearing_after: number;
                    instructions: string;
                    banner_instructions: string;
                    voice_instructions: string;
                    geometry: components["schemas"]["Line"];
                    mode: string;
                    manuever: string;
                    street_name: string;
                    exit_name?: string;
                    /** @description numbers of the road that is followed, such as `A 3` */
                    refs?: string[];
                    /** @description numbers of the exit, as on its sign */
                    exits?: string[];
                    /** @description places on the sign of the road or the ramp */
                    destinations?: string[];
                    /** @description road numbers on that sign */
                    destination_refs?: string[];
                    /** @description name of the junction where the step begins */
                    junction_name?: string;
                    /** @description lanes before the maneuver, leftmost first, if their arrows are known */
                    lanes?: {
                        /** @description arrows on the lane: straight, left, right, slight left, slight right, sharp left, sharp right, uturn; none: no arrow */
                        indications: string[];
                        /** @description whether the lane leads along the route */
                        valid: boolean;
                        /** @description whether to take the lane: of the valid lanes, those that also suit a maneuver that follows soon */
                        active: boolean;
                    }[];
                }[];
            }[];
            snapped: components["schemas"]["Snapped"][];
        };
        Segment: {
            _id: string;
            live: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            externalId: string;
            description: string;
            rule: {
                /** @enum {string} */
                match: "all" | "any";
                conditions: {
                    type: string;
                    value?: string;
                    visits?: number;
                    days?: number;
                    weeks?: number;
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    values?: string[];
                    not?: boolean;
                }[];
            };
            /** @description number of users */
            size?: number;
            /** @description true: the users of the project are still being compared after a change of a rule */
            computing?: boolean;
        };
        /** @description the position on a road that is used for a location, and its distance from the location */
        Snapped: {
            latitude: number;
            longitude: number;
            distance: components["schemas"]["Quantity"];
        };
        TrackBody: {
            /** @description Device ID */
            deviceId: string;
            /** @description Stable unique ID; no personal data */
            userId?: string;
            /** @description Degrees north of the equator. -90 to 90. */
            latitude: number;
            /** @description Degrees east of Greenwich. -180 to 180. */
            longitude: number;
            /** @description meters. Greater than 0, up to 20100000. */
            accuracy: number;
            /** @description Whether the app is in the foreground. */
            foreground?: boolean;
            /** @description Whether the device is stationary. */
            stopped?: boolean;
            /** @description Display name in the dashboard. */
            description?: string;
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description `iOS`, `Android` or `Web`.
             * @enum {string}
             */
            deviceType?: "iOS" | "Android" | "Web";
            /**
             * Format: date-time
             * @description a time before 2000, or more than five minutes ahead, is replaced by the time of arrival
             */
            updatedAt?: string;
            /** @description milliseconds before now; for clients without a trusted clock. Wins over `updatedAtMs`, except in replays. -31622400000 to 316224000000. */
            updatedAtMsDiff?: number;
            /** @description milliseconds since 1970, as SDKs buffer updates. Wins over `updatedAt`. At least 0. */
            updatedAtMs?: number;
            /** @description Whether this update was stored while the device was offline. */
            replayed?: boolean;
            /** @description The device's operating system and its version. */
            deviceOS?: string;
            /** @description Manufacturer of the device. */
            deviceMake?: string;
            /** @description The device's model. */
            deviceModel?: string;
            /** @description Id of the app's installation; used if deviceId is absent. */
            installId?: string;
            /** @description Version of the SDK that sends this. */
            sdkVersion?: string;
            /** @description what woke the SDK */
            source?: string;
            /** @description Location permission of the app. */
            locationAuthorization?: string;
            /** @description Whether the app has access to the precise location. */
            locationAccuracyAuthorization?: string;
            /** @description meters; exactly -1 = unknown. -100000 to 1000000. */
            altitude?: number;
            /** @description meters; negative: the altitude is unknown */
            verticalAccuracy?: number;
            /** @description meters per second; negative = unknown. -1 to 100000. */
            speed?: number;
            /** @description degrees from north; negative = unknown. -360 to 360. */
            course?: number;
            /** @description meters, from the barometer. -100000 to 1000000. */
            barometricAltitude?: number;
            /** @description activity from the device's motion sensors, such as `foot` or `car` */
            activityType?: string;
            /** @description the user's tags; replaces those stored. Up to 100 items. */
            userTags?: string[];
            /** @description true: nothing is stored */
            anonymous?: boolean;
            /** @description anonymous updates: _ids of the geofences of the last response's user; absent: none is known */
            geofenceIds?: string[];
            /** @description anonymous updates: _id of the place of the last response's user */
            placeId?: string;
            /** @description anonymous updates: _ids of the regions of the last response's user; absent: none is known */
            regionIds?: string[];
            /** @description anonymous updates: _ids of the beacons of the last response's user; absent: none is known */
            beaconIds?: string[];
            /** @description all beacons in range now, {type, uuid, major, minor} or {type, uid, instance}; absent: not in use */
            beacons?: {
                /** @enum {string} */
                type?: "ibeacon" | "eddystone";
                uuid?: string | number;
                major?: string | number;
                minor?: string | number;
                uid?: string | number;
                instance?: string | number;
            }[];
            /** @description the device's trip: started if it is pending, created if its externalId does not exist */
            tripOptions?: {
                externalId: string;
                destinationGeofenceTag?: string;
                destinationGeofenceExternalId?: string;
                /**
                 * @description default car
                 * @enum {string}
                 */
                mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description at most 16 kB as JSON */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
                /** @description ETA in minutes at which the trip is approaching; default: that of the geofence. 0 to 1440. */
                approachingThreshold?: number;
                /** Format: date-time */
                scheduledArrivalAt?: string;
                /** @description each {destination, stopDuration, metadata}; the destination names a geofence (destinationGeofenceTag and destinationGeofenceExternalId, or destinationGeofenceId), an address, or coordinates. Up to 25 items. */
                legs?: {
                    _id?: string;
                    destination?: {
                        destinationGeofenceTag?: string;
                        destinationGeofenceExternalId?: string;
                        destinationGeofenceId?: string;
                        address?: string;
                        /** @description [longitude, latitude]. Up to 2 items. */
                        coordinates?: [
                            number,
                            number
                        ];
                        /** @description meters; for an address or coordinates, default 100; greater for an address whose house number no data has. 1 to 10000. */
                        arrivalRadius?: number;
                    };
                    destinationGeofenceTag?: string;
                    destinationGeofenceExternalId?: string;
                    /** @description minutes. 0 to 10080. */
                    stopDuration?: number;
                    /** @description at most 16 kB as JSON */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                }[];
                /** @description each {id, guid, handoffMode, fireBeforeMinutes}: fired at this ETA (default: approachingThreshold), at the latest on arrival. In PATCH, known ids are changed and others added; status fired, canceled or completed. Up to 50 items. */
                orders?: {
                    id: string;
                    guid?: string;
                    handoffMode?: string;
                    /** @description 0 to 1440. */
                    fireBeforeMinutes?: number;
                    /** @enum {string} */
                    status?: "pending" | "fired" | "canceled" | "completed";
                }[];
            };
            /** @description true: `nearbyGeofences` holds the nearest geofences */
            nearbyGeofences?: boolean;
            /** @description how many of them; default 10, also for 0, which Android sends if it is not set. 0 to 100. */
            nearbyGeofencesLimit?: number;
            /** @description notifications of campaigns that the phone has shown since its last update (iOS) */
            notificationDiff?: Record<string, never>[];
            /** @description the client detected a simulated location */
            mocked?: boolean;
            /** @description the client detected a tampered device */
            compromised?: boolean;
            /** @description the client detected screen sharing */
            sharing?: boolean;
            /** @description the update came through verified tracking: it is checked for fraud, and the response is signed */
            verified?: boolean;
            /** @description verified tracking: the country the user must be in, such as US; any other value fails the check */
            expectedCountryCode?: string;
            /** @description verified tracking: the state the user must be in, such as NY; any other value fails the check */
            expectedStateCode?: string;
            /** @description verified tracking: purpose of the check; included in the token */
            reason?: string;
            /** @description verified tracking: included in the response and the token */
            transactionId?: string;
        };
        Trip: {
            _id: string;
            live: boolean;
            externalId: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            mode: string;
            /** @enum {string} */
            status: "pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired";
            destinationGeofenceTag?: string;
            destinationGeofenceExternalId?: string;
            destinationLocation?: components["schemas"]["Point"];
            /** @description Minutes */
            approachingThreshold?: number;
            /** Format: date-time */
            scheduledArrivalAt?: string;
            /** @description Minutes and meters to the destination; with several legs, to the last one */
            eta?: {
                duration: number;
                distance: number;
            };
            /** @description Trips with several legs: the legs, in travel order */
            legs?: components["schemas"]["TripLeg"][];
            /** @description The _id of the first leg that has not ended */
            currentLeg?: string;
            /** @description Same as currentLeg */
            currentLegId?: string;
            /** @description Delay in minutes relative to scheduledArrivalAt; negative if early */
            delay?: {
                delayed: boolean;
                scheduledArrivalTimeDelay: number;
            };
            /** @description Orders that are fired before the arrival */
            orders?: {
                id: string;
                guid?: string;
                handoffMode?: string;
                fireBeforeMinutes?: number;
                /** @enum {string} */
                status: "pending" | "fired" | "canceled" | "completed";
                /** Format: date-time */
                firedAt?: string;
                firedAttempts?: number;
                /** @description eta (`fireBeforeMinutes` was reached), arrival, or manual (by PATCH) */
                firedReason?: string;
                /** Format: date-time */
                updatedAt: string;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            approachingAt?: string;
            /** Format: date-time */
            arrivedAt?: string;
            /** Format: date-time */
            endedAt?: string;
            userId?: string;
            user?: {
                _id: string;
                userId?: string;
                deviceId: string;
            };
        };
        TripLeg: {
            _id: string;
            /** @enum {string} */
            status: "pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired";
            destination: {
                /** @enum {string} */
                type: "geofence" | "address" | "coordinates";
                source: {
                    geofence?: string;
                    data: {
                        tag?: string;
                        externalId?: string;
                    } | string | [
                        number,
                        number
                    ];
                };
                location: components["schemas"]["Point"];
                address?: string;
                /** @description Arrival radius in meters, for addresses and coordinates */
                arrivalRadius?: number;
                /**
                 * @description Of an address: `interpolated` is at or between known houses near it, `fallback` is its street
                 * @enum {string}
                 */
                confidence?: "exact" | "interpolated" | "fallback";
                /**
                 * @description Of an address: what the point is, as in geocoding
                 * @enum {string}
                 */
                precision?: "rooftop" | "parcel" | "interpolated" | "street";
            };
            destinationGeofenceTag?: string;
            destinationGeofenceExternalId?: string;
            /** @description Minutes */
            stopDuration?: number;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description Minutes and meters from the device's location, including previous legs and stops */
            eta?: {
                duration: number;
                distance: number;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            approachingAt?: string;
            /** Format: date-time */
            arrivedAt?: string;
            /** Format: date-time */
            endedAt?: string;
        };
        User: {
            _id: string;
            live: boolean;
            userId?: string;
            deviceId: string;
            description?: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description Watched chains that are currently near */
            nearbyPlaceChains?: {
                name: string;
                slug: string;
                externalId?: string;
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            }[];
            /** @description Set by PUT /v1/users/:id/segments, and computed ones */
            segments?: {
                description: string;
                externalId: string;
                /** @description true: the user meets the rule of POST /v1/segments */
                computed?: boolean;
            }[];
            /** @description Up to 5 chains, the most visited first */
            topChains?: {
                name: string;
                slug: string;
                externalId?: string;
            }[];
            location: components["schemas"]["Point"];
            /** @description Meters */
            locationAccuracy: number;
            altitude?: number;
            speed?: number;
            course?: number;
            /** @description Meters */
            barometricAltitude?: number;
            /** @description Activity detected by the device's motion sensors */
            activityType?: string;
            userTags?: string[];
            foreground?: boolean;
            stopped?: boolean;
            deviceType?: string;
            deviceOS?: string;
            deviceMake?: string;
            deviceModel?: string;
            installId?: string;
            sdkVersion?: string;
            /** @description Wakeup source of the SDK for the last update */
            source?: string;
            locationAuthorization?: string;
            locationAccuracyAuthorization?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the last update arrived, by the server's clock
             */
            actualUpdatedAt?: string;
            geofences: components["schemas"]["GeofenceLabel"][];
            trip?: components["schemas"]["Trip"];
            place?: components["schemas"]["Place"];
            country?: components["schemas"]["Region"];
            state?: components["schemas"]["Region"];
            dma?: components["schemas"]["Region"];
            postalCode?: components["schemas"]["Region"];
            beacons?: components["schemas"]["BeaconLabel"][];
            fraud?: components["schemas"]["Fraud"];
            /** @description If the project has enabled insights */
            insights?: {
                homeLocation?: {
                    /** @enum {string} */
                    type: "home" | "office";
                    location: components["schemas"]["Point"];
                    /** @description 3: at least 8 of the last 14 days, 2: 5, 1: 3 */
                    confidence: number;
                    /** Format: date-time */
                    updatedAt: string;
                };
                officeLocation?: {
                    /** @enum {string} */
                    type: "home" | "office";
                    location: components["schemas"]["Point"];
                    /** @description 3: at least 8 of the last 14 days, 2: 5, 1: 3 */
                    confidence: number;
                    /** Format: date-time */
                    updatedAt: string;
                };
                /** @description the current stay, of at least 10 minutes */
                visit?: {
                    location: components["schemas"]["Point"];
                    /** Format: date-time */
                    startedAt: string;
                };
                state: {
                    home: boolean;
                    office: boolean;
                    traveling: boolean;
                    commuting: boolean;
                };
            };
            ip?: string;
        };
        Webhook: {
            _id: string;
            live: boolean;
            /**
             * @description Destination of events; webhook: your server
             * @enum {string}
             */
            type: "webhook" | "kafka" | "mqtt" | "bucket" | "queue" | "braze" | "iterable" | "customerio" | "segment";
            /** @description Empty if the type needs no URL */
            url: string;
            /** @description Settings of the type, without secrets */
            settings?: {
                template?: string;
                contentType?: string;
                topic?: string;
                clusterId?: string;
                username?: string;
                prefix?: string;
                seconds?: number;
                region?: string;
                accessKeyId?: string;
                siteId?: string;
                /** @description Names of the secret settings, which are never returned */
                secrets?: string[];
            };
            description?: string;
            /** @enum {string} */
            delivery: "single" | "multiple";
            /** @description Absent: all types */
            eventTypes?: string[];
            enabled: boolean;
            /** @description Reason, if the receiver caused it */
            disabledReason?: string;
            /** @description Only returned when it is created */
            secret?: string;
            /** Format: date-time */
            previousSecretValidUntil?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ReplayTrackBody: {
            /** @description bodies of POST /v1/track. Up to 500 items. */
            replays: components["schemas"]["TrackBody"][];
        };
        SyncRegionBody: {
            /** @description Degrees north of the equator. -90 to 90. */
            latitude: number;
            /** @description Degrees east of Greenwich. -180 to 180. */
            longitude: number;
            /** @description Your own id for the user; don't use a person's name, address or phone number. */
            userId?: string;
        };
        RevealRiskBody: {
            /** @description Your own id for the user; don't use a person's name, address or phone number. */
            userId?: string;
            /** @description Id of the device. */
            deviceId?: string;
            /** @description `iOS`, `Android` or `Web`. */
            deviceType?: string;
            /** @description Manufacturer of the device. */
            deviceMake?: string;
            /** @description The device's model. */
            deviceModel?: string;
            /** @description Version of the SDK that sends this. */
            sdkVersion?: string;
            /** @description The framework the SDK is wrapped for: `ReactNative`, `Flutter`, … */
            xPlatformType?: string;
            /** @description Id of the app's installation; used if deviceId is absent. */
            installId?: string;
            /** @description Id of the app in its store. */
            appId?: string;
            /** @description Name of the app. */
            appName?: string;
            /** @description Version of the app. */
            appVersion?: string;
            /** @description Build number of the app. */
            appBuild?: string;
            /** @description The device's operating system and its version. */
            deviceOS?: string;
            /** @description Country in which the device must be to pass. */
            expectedCountryCode?: string;
            /** @description State in which the device must be to pass. */
            expectedStateCode?: string;
            /** @description Your own reason for the check; included in the token. */
            reason?: string;
            /** @description Your own transaction id; included in the response and the token. */
            transactionId?: string;
        };
        IngestTraccarBody: {
            /** @description one position or a list, with `timestamp` and `coords` */
            location?: Record<string, never> | Record<string, never>[];
            /** @description Id of the device, as Traccar Client sends it. */
            device_id?: string | number;
        } & {
            [key: string]: unknown;
        };
        IngestOwnTracksBody: {
            /** @description location, transition, waypoint, waypoints; anything else is ignored */
            _type?: string;
        } & {
            [key: string]: unknown;
        };
        IngestOverlandBody: {
            /** @description features with a Point, and timestamp, horizontal_accuracy, speed, motion … as properties. Up to 2000 items. */
            locations: Record<string, never>[];
        };
        AutocompleteClickBody: Record<string, never>;
        GeocodeBatchBody: {
            /**
             * @description default for rows without their own
             * @default forward
             * @enum {string}
             */
            kind?: "forward" | "reverse" | "validate";
            /** @description Requests, one per row. Up to 1000 items. */
            rows: {
                [key: string]: unknown;
            }[];
        };
        CreateGeocodeJobBody: {
            /** @description CSV file as a string, with a header row. */
            csv: string;
        };
        MatchBody: {
            /** @description Expected 2 to 1000 points {"coordinates": "latitude,longitude", "createdAt"?, "accuracy"?}. Or `gpx`, or `geojson`. */
            path?: {
                /** Format: latitude,longitude */
                coordinates: string;
                createdAt?: string | null;
                /** @description meters */
                accuracy?: number | null;
            }[];
            /** @description instead of `path`, a GPX file: its tracks, routes or waypoints */
            gpx?: string;
            /** @description instead of `path`, GeoJSON: LineStrings, with times in `properties.coordTimes`, or Points with `properties.time` */
            geojson?: Record<string, never>;
            /**
             * @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car
             * @default car
             * @enum {string}
             */
            mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
            /** @description Attributes to return for each road, comma separated. */
            roadAttributes?: ("speedLimit" | "speed" | "names" | "roadClass")[];
            /**
             * @description Unit system: feet and miles, or meters and kilometers; also for speeds.
             * @default imperial
             * @enum {string}
             */
            units?: "metric" | "imperial";
            /**
             * @description Geometry format: GeoJSON, or an encoded polyline with 5 or 6 decimals. Absent: see the default.
             * @default polyline6
             * @enum {string}
             */
            geometry?: "linestring" | "polyline5" | "polyline6";
            /**
             * @description remove points less than 10 m from the previous one, for traces with a point per second
             * @default false
             */
            tidy?: boolean;
            /** @description a gap longer than this splits the trace [s]. 1 to 86400. */
            gap?: number;
            /**
             * @description geojson: a FeatureCollection with a feature per road segment if `roadAttributes` are requested, otherwise one per part of the trace; gpx: the snapped points, a segment per part
             * @default json
             * @enum {string}
             */
            format?: "json" | "geojson" | "gpx";
        };
        OptimizeFleetBody: {
            /** @description The vehicles, with start, end, capacity, skills, hours and breaks. Up to 20 items. */
            vehicles: {
                /** @description At least 0. */
                id: number;
                /**
                 * @description a key of `matrices`, or car, truck, bike, foot, motorbike; names of OSRM and openrouteservice are accepted
                 * @default car
                 */
                profile?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
                description?: string | null;
                start?: [
                    number,
                    number
                ] | null;
                start_index?: number | null;
                end?: [
                    number,
                    number
                ] | null;
                end_index?: number | null;
                /** @description absent: unlimited */
                capacity?: number[] | null;
                skills?: number[] | null;
                time_window?: [
                    number,
                    number
                ] | null;
                breaks?: {
                    /** @description At least 0. */
                    id: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    description?: string | null;
                    max_load?: number[] | null;
                }[] | null;
                /**
                 * @description Greater than 0, up to 5.
                 * @default 1
                 */
                speed_factor?: number;
                max_tasks?: number | null;
                max_travel_time?: number | null;
                /** @description meters */
                max_distance?: number | null;
                costs?: {
                    /**
                     * @description 0 to 1000000000.
                     * @default 0
                     */
                    fixed?: number;
                    /**
                     * @description 0 to 1000000.
                     * @default 3600
                     */
                    per_hour?: number;
                    /**
                     * @description 0 to 1000000.
                     * @default 0
                     */
                    per_km?: number;
                } | null;
            }[];
            /**
             * @description Tasks at one location each. Up to 200 items.
             * @default []
             */
            jobs?: {
                /** @description At least 0. */
                id: number;
                location?: [
                    number,
                    number
                ] | null;
                location_index?: number | null;
                /**
                 * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                 * @default 0
                 */
                setup?: number;
                /**
                 * @description 0 to 1000000000000.
                 * @default 0
                 */
                service?: number;
                time_windows?: [
                    number,
                    number
                ][] | null;
                description?: string | null;
                delivery?: number[] | null;
                pickup?: number[] | null;
                /** @description deprecated alias of `delivery` */
                amount?: number[] | null;
                skills?: number[] | null;
                /**
                 * @description 0 to 100.
                 * @default 0
                 */
                priority?: number;
            }[];
            /**
             * @description Tasks with a pickup and a delivery. Up to 200 items.
             * @default []
             */
            shipments?: {
                pickup: {
                    /** @description At least 0. */
                    id: number;
                    location?: [
                        number,
                        number
                    ] | null;
                    location_index?: number | null;
                    /**
                     * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                     * @default 0
                     */
                    setup?: number;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    description?: string | null;
                };
                delivery: {
                    /** @description At least 0. */
                    id: number;
                    location?: [
                        number,
                        number
                    ] | null;
                    location_index?: number | null;
                    /**
                     * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                     * @default 0
                     */
                    setup?: number;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    description?: string | null;
                };
                amount?: number[] | null;
                skills?: number[] | null;
                /**
                 * @description 0 to 100.
                 * @default 0
                 */
                priority?: number;
            }[];
            /** @description by profile: custom durations [s], distances [m] and costs, instead of those of the roads */
            matrices?: {
                [key: string]: {
                    durations: (number | null)[][];
                    distances?: (number | null)[][];
                    costs?: (number | null)[][];
                };
            };
            /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
            avoidPolygons?: Record<string, never>;
            /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
            avoidGeofences?: string;
            /**
             * Format: date-time
             * @description time at second 0 of the clock of all times, such as midnight; with it, the plan follows the speeds and restrictions of the hour at which each vehicle leaves a stop, as `departureTime` of routes does. Without it, durations assume no traffic. Not with `matrices`
             */
            departureTime?: string;
            /** @description `g: true` also returns the geometry of the routes. */
            options: {
                /**
                 * @description return the geometry (polyline, 5 digits) and distances of each route
                 * @default false
                 */
                g?: boolean;
                /**
                 * @description search effort: about 0, 0.25, 0.5, 1, 3 or 10 seconds of CPU time. 0 to 5.
                 * @default 3
                 */
                x?: number;
                /**
                 * @description 0 to 4294967295.
                 * @default 1
                 */
                seed?: number;
            };
        };
        CreateMatchJobBody: {
            /** @description Expected 2 to 5000 points {"coordinates": "latitude,longitude", "createdAt"?, "accuracy"?}. Or `gpx`, or `geojson`. */
            path?: {
                /** Format: latitude,longitude */
                coordinates: string;
                createdAt?: string | null;
                /** @description meters */
                accuracy?: number | null;
            }[];
            /** @description instead of `path`, a GPX file: its tracks, routes or waypoints */
            gpx?: string;
            /** @description instead of `path`, GeoJSON: LineStrings, with times in `properties.coordTimes`, or Points with `properties.time` */
            geojson?: Record<string, never>;
            /**
             * @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car
             * @default car
             * @enum {string}
             */
            mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
            /** @description Attributes to return for each road, comma separated. */
            roadAttributes?: ("speedLimit" | "speed" | "names" | "roadClass")[];
            /**
             * @description Unit system: feet and miles, or meters and kilometers; also for speeds.
             * @default imperial
             * @enum {string}
             */
            units?: "metric" | "imperial";
            /**
             * @description Geometry format: GeoJSON, or an encoded polyline with 5 or 6 decimals. Absent: see the default.
             * @default polyline6
             * @enum {string}
             */
            geometry?: "linestring" | "polyline5" | "polyline6";
            /**
             * @description remove points less than 10 m from the previous one, for traces with a point per second
             * @default false
             */
            tidy?: boolean;
            /**
             * @description a gap longer than this splits the trace [s]. 1 to 86400.
             * @default 60
             */
            gap?: number;
            /**
             * @description geojson: a FeatureCollection with a feature per road segment if `roadAttributes` are requested, otherwise one per part of the trace; gpx: the snapped points, a segment per part
             * @default json
             * @enum {string}
             */
            format?: "json" | "geojson" | "gpx";
        };
        CreateFleetJobBody: {
            /** @description The vehicles, with start, end, capacity, skills, hours and breaks. Up to 50 items. */
            vehicles: {
                /** @description At least 0. */
                id: number;
                /**
                 * @description a key of `matrices`, or car, truck, bike, foot, motorbike; names of OSRM and openrouteservice are accepted
                 * @default car
                 */
                profile?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
                description?: string | null;
                start?: [
                    number,
                    number
                ] | null;
                start_index?: number | null;
                end?: [
                    number,
                    number
                ] | null;
                end_index?: number | null;
                /** @description absent: unlimited */
                capacity?: number[] | null;
                skills?: number[] | null;
                time_window?: [
                    number,
                    number
                ] | null;
                breaks?: {
                    /** @description At least 0. */
                    id: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    description?: string | null;
                    max_load?: number[] | null;
                }[] | null;
                /**
                 * @description Greater than 0, up to 5.
                 * @default 1
                 */
                speed_factor?: number;
                max_tasks?: number | null;
                max_travel_time?: number | null;
                /** @description meters */
                max_distance?: number | null;
                costs?: {
                    /**
                     * @description 0 to 1000000000.
                     * @default 0
                     */
                    fixed?: number;
                    /**
                     * @description 0 to 1000000.
                     * @default 3600
                     */
                    per_hour?: number;
                    /**
                     * @description 0 to 1000000.
                     * @default 0
                     */
                    per_km?: number;
                } | null;
            }[];
            /**
             * @description Tasks at one location each. Up to 500 items.
             * @default []
             */
            jobs?: {
                /** @description At least 0. */
                id: number;
                location?: [
                    number,
                    number
                ] | null;
                location_index?: number | null;
                /**
                 * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                 * @default 0
                 */
                setup?: number;
                /**
                 * @description 0 to 1000000000000.
                 * @default 0
                 */
                service?: number;
                time_windows?: [
                    number,
                    number
                ][] | null;
                description?: string | null;
                delivery?: number[] | null;
                pickup?: number[] | null;
                /** @description deprecated alias of `delivery` */
                amount?: number[] | null;
                skills?: number[] | null;
                /**
                 * @description 0 to 100.
                 * @default 0
                 */
                priority?: number;
            }[];
            /**
             * @description Tasks with a pickup and a delivery. Up to 500 items.
             * @default []
             */
            shipments?: {
                pickup: {
                    /** @description At least 0. */
                    id: number;
                    location?: [
                        number,
                        number
                    ] | null;
                    location_index?: number | null;
                    /**
                     * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                     * @default 0
                     */
                    setup?: number;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    description?: string | null;
                };
                delivery: {
                    /** @description At least 0. */
                    id: number;
                    location?: [
                        number,
                        number
                    ] | null;
                    location_index?: number | null;
                    /**
                     * @description added if the vehicle arrives from another location [s]. 0 to 1000000000000.
                     * @default 0
                     */
                    setup?: number;
                    /**
                     * @description 0 to 1000000000000.
                     * @default 0
                     */
                    service?: number;
                    time_windows?: [
                        number,
                        number
                    ][] | null;
                    description?: string | null;
                };
                amount?: number[] | null;
                skills?: number[] | null;
                /**
                 * @description 0 to 100.
                 * @default 0
                 */
                priority?: number;
            }[];
            /** @description by profile: custom durations [s], distances [m] and costs, instead of those of the roads */
            matrices?: {
                [key: string]: {
                    durations: (number | null)[][];
                    distances?: (number | null)[][];
                    costs?: (number | null)[][];
                };
            };
            /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
            avoidPolygons?: Record<string, never>;
            /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
            avoidGeofences?: string;
            /**
             * Format: date-time
             * @description time at second 0 of the clock of all times, such as midnight; with it, the plan follows the speeds and restrictions of the hour at which each vehicle leaves a stop, as `departureTime` of routes does. Without it, durations assume no traffic. Not with `matrices`
             */
            departureTime?: string;
            /** @description `g: true` also returns the geometry of the routes. */
            options: {
                /**
                 * @description return the geometry (polyline, 5 digits) and distances of each route
                 * @default false
                 */
                g?: boolean;
                /**
                 * @description search effort: about 0, 0.25, 0.5, 1, 3 or 10 seconds of CPU time. 0 to 5.
                 * @default 3
                 */
                x?: number;
                /**
                 * @description 0 to 4294967295.
                 * @default 1
                 */
                seed?: number;
            };
        };
        PostStaticMapBody: {
            /** @description pixels, times scale. 100 to 2048. */
            width: number;
            /** @description pixels, times scale. 100 to 2048. */
            height: number;
            /**
             * @description multiplies the image size by 2 or 3 for the same area. 1 to 3.
             * @default 1
             */
            scale?: number;
            /** @description latitude,longitude, or the name of a place */
            center?: string;
            /** @description fractions allowed; the world is 512 × 2^zoom pixels wide. 0 to 23. */
            zoom?: number;
            /**
             * Format: minLat,minLon,maxLat,maxLon
             * @description Area that must be visible: `minLat,minLon,maxLat,maxLon`.
             */
            bbox?: string;
            /** @description pixels around what is fitted: 16, or top,right,bottom,left */
            padding?: string;
            /** @description 0 only: north is up */
            bearing?: number;
            /** @description 0 only: maps are always seen from straight above */
            pitch?: number;
            /**
             * @description radar-default-v1, radar-light-v1, radar-dark-v1, grayscale, white, black, or the id of your own style
             * @default radar-default-v1
             */
            style?: string;
            /** @description language of labels, if available */
            language?: string;
            /**
             * @description railways and lines of public transport below zoom 12 too
             * @default false
             */
            transit?: boolean;
            /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
            layers?: "terrain"[];
            /**
             * @description Response format.
             * @default png
             * @enum {string}
             */
            format?: "png" | "webp" | "jpeg" | "svg";
            /**
             * @description auto: long if the width is 300 pixels or more; false, with a secret key or a signed URL: none in the image, because you show the header `x-graticule-attribution` yourself
             * @default auto
             * @enum {string}
             */
            attribution?: "auto" | "long" | "short" | "false";
            /** @description id of a style layer: paths and areas are drawn below it */
            before_layer?: string;
            /** @description a text as in the URL, or {"color": "red", "label": "A", "locations": ["40.7,-73.9"]}; or a list of these */
            markers?: (string | Record<string, never>) | (string | Record<string, never>)[];
            /** @description a text as in the URL, or {"fill": "tomato", "locations": ["40.7,-73.9", "enc:…"], "holes": [["…"]]}; or a list of these */
            path?: (string | Record<string, never>) | (string | Record<string, never>)[];
            /** @description GeoJSON, as an object or as text */
            geojson?: Record<string, never> | string;
        };
        SignMapBody: {
            /** @description path and query of GET /maps/static, or the full URL; a key in it is removed */
            url: string;
            /**
             * @description seconds. 1 to 31622400.
             * @default 3600
             */
            expiresIn?: number;
        };
        UploadMapIconBody: {
            /** @description Expected a PNG, JPEG, WebP or SVG of up to 256 KB: base64, a data: URL, or SVG source. */
            image: string;
        };
        UploadMapStyleBody: {
            /**
             * @description 8, MapLibre's version of the format.
             * @constant
             */
            version: 8;
            /** @description Layers of the style in MapLibre's format; layers with other sources are omitted. */
            layers: ({
                id: string;
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Name. */
            name?: string;
        };
        CreateGeofenceBody: {
            /** @description Display name in the dashboard. */
            description: string;
            /**
             * @description Type.
             * @enum {string}
             */
            type: "circle" | "polygon" | "isochrone";
            /** @description Expected [longitude, latitude] for a circle or one closed ring of 4 to 2000 [longitude, latitude] for a polygon. A polygon has no holes. */
            coordinates: (number | number[])[];
            /** @description circle: meters, 10 to 10000; isochrone: minutes, 1 to 60, less where more than about 500,000 junctions are within reach */
            radius?: number;
            /**
             * @description of an isochrone; default car
             * @enum {string}
             */
            mode?: "car" | "truck" | "foot" | "bike";
            /** @description Group that it belongs to; you choose the name. */
            tag?: string;
            /** @description Your own id; unique together with the tag. */
            externalId?: string;
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description default true */
            enabled?: boolean;
            /** @description minutes. 0 to 10080. */
            dwellThreshold?: number;
            /** @description If true, only stopped devices or devices with the app in the foreground enter. */
            stopDetection?: boolean;
            /** @description minutes. 0 to 1440. */
            tripApproachingThreshold?: number;
            /** @description Opening hours by weekday: `{"Mon": [["09:00", "17:00"]]}`. No user enters outside these hours. */
            operatingHours?: {
                /** @description Up to 10 items. */
                Mon?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Tue?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Wed?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Thu?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Fri?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Sat?: [
                    string,
                    string
                ][];
                /** @description Up to 10 items. */
                Sun?: [
                    string,
                    string
                ][];
            };
            /**
             * Format: date-time
             * @description Disables the geofence at this time (ISO 8601).
             */
            disableAfter?: string;
            /**
             * Format: date-time
             * @description Deletes the geofence at this time (ISO 8601).
             */
            deleteAfter?: string;
            /** @description Only for these users: userIds or deviceIds. Up to 1000 items. */
            userIds?: string[];
            /** @description Only for users in one of these segments: their externalIds. Up to 100 items. */
            segments?: string[];
            /** @description IP addresses, stored for your own use; they have no effect. Up to 100 items. */
            ip?: string[];
        };
        ImportGeofencesBody: {
            /** @description CSV file as a string, with a header row. */
            csv?: string;
            /** @description a FeatureCollection, as an object or as JSON text */
            geojson?: Record<string, never> | string;
            /** @description of a FeatureCollection that is the body itself */
            type?: string;
            /** @description The features of a GeoJSON FeatureCollection, each a Point (with a radius among its properties) or a Polygon. */
            features?: Record<string, never>[];
            /** @description Of a single GeoJSON Feature: its Point or Polygon. */
            geometry?: Record<string, never>;
            /** @description Of a single GeoJSON Feature: the geofence's fields. */
            properties?: Record<string, never>;
            /** @description Of GeoJSON: omitted or WGS 84; any other value is rejected. */
            crs?: Record<string, never>;
            /** @description Reports the result of the import without changing anything. */
            dryRun?: boolean;
            /** @description Name of the file, for the history. */
            filename?: string;
        };
        CreateCampaignBody: {
            /** @description Name. */
            name: string;
            /**
             * @description Type.
             * @enum {string}
             */
            type: "inAppMessage" | "eventNotification" | "geofenceNotification";
            /**
             * @description `false` stores it but disables it.
             * @default true
             */
            enabled?: boolean;
            /** @description the event that sends the message; all given conditions must hold */
            trigger: {
                /**
                 * @description default: the entry of the geofence, beacon or place, or the start of the trip
                 * @enum {string}
                 */
                event?: "user.entered_geofence" | "user.exited_geofence" | "user.dwelled_in_geofence" | "user.entered_place" | "user.exited_place" | "user.nearby_place_chain" | "user.entered_region_country" | "user.exited_region_country" | "user.entered_region_state" | "user.exited_region_state" | "user.entered_region_dma" | "user.exited_region_dma" | "user.entered_region_postal_code" | "user.exited_region_postal_code" | "user.entered_beacon" | "user.exited_beacon" | "user.started_trip" | "user.updated_trip" | "user.approaching_trip_destination" | "user.arrived_at_trip_destination" | "user.arrived_at_wrong_trip_destination" | "user.fired_trip_orders" | "user.stopped_trip" | "user.failed_fraud" | "user.entered_home" | "user.exited_home" | "user.entered_work" | "user.exited_work" | "user.started_traveling" | "user.stopped_traveling" | "user.started_commuting" | "user.stopped_commuting";
                /** @description Up to 100 items. */
                geofenceTags?: string[];
                /** @description Up to 100 items. */
                geofenceIds?: string[];
                /** @description Up to 100 items. */
                beaconTags?: string[];
                /** @description slugs. Up to 100 items. */
                placeChains?: string[];
                /** @description Up to 100 items. */
                categories?: string[];
                /** @description Up to 100 items. */
                tripModes?: string[];
                /** @description 1 to 3. */
                minimumConfidence?: number;
            };
            /** @description users that meet all conditions, without those that meet one of `exclude`; default: all */
            audience?: {
                /** @description at most 16 kB as JSON */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
                /** @description Up to 100 items. */
                segments?: string[];
                /** @description Up to 1000 items. */
                userIds?: string[];
                deviceTypes?: ("iOS" | "Android" | "Web")[];
                exclude?: {
                    /** @description at most 16 kB as JSON */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Up to 100 items. */
                    segments?: string[];
                    /** @description Up to 1000 items. */
                    userIds?: string[];
                    deviceTypes?: ("iOS" | "Android" | "Web")[];
                };
            };
            /** @description required without variants */
            content?: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            /** @description A/B test: users are divided by weight. Up to 10 items. */
            variants?: {
                /**
                 * @description Greater than 0, up to 1000.
                 * @default 1
                 */
                weight?: number;
                content: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            }[];
            /** @description share of users that get no message. 0 to 0.9. */
            holdout?: number;
            /** @description a logged event with this name within `days` of the message counts as a conversion */
            goal?: {
                event: string;
                /**
                 * @description Greater than 0, up to 90.
                 * @default 7
                 */
                days?: number;
            };
            /** @description when messages are sent, in the user's time zone; times with an offset are absolute */
            schedule?: {
                startsAt?: string;
                endsAt?: string;
                daysOfWeek?: ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                /** @description Up to 10 items. */
                hours?: [
                    string,
                    string
                ][];
                /** @description default: the user's */
                timeZone?: string;
                /** @description only while the geofence is open */
                operatingHours?: boolean;
            };
            /** @description messages per user (within `days`), minutes between two, and messages in total */
            limits?: {
                /** @description 1 to 100. */
                perUser?: number;
                /** @description period of perUser; default: ever. Greater than 0, up to 366. */
                days?: number;
                /** @description Greater than 0, up to 527040. */
                cooldownMinutes?: number;
                /** @description 1 to 1000000000. */
                total?: number;
            };
        };
        UpdateCampaignBody: {
            /** @description Name. */
            name?: string;
            /** @description `false` stores it but disables it. */
            enabled?: boolean;
            /** @description the event that sends the message; all given conditions must hold */
            trigger?: {
                /**
                 * @description default: the entry of the geofence, beacon or place, or the start of the trip
                 * @enum {string}
                 */
                event?: "user.entered_geofence" | "user.exited_geofence" | "user.dwelled_in_geofence" | "user.entered_place" | "user.exited_place" | "user.nearby_place_chain" | "user.entered_region_country" | "user.exited_region_country" | "user.entered_region_state" | "user.exited_region_state" | "user.entered_region_dma" | "user.exited_region_dma" | "user.entered_region_postal_code" | "user.exited_region_postal_code" | "user.entered_beacon" | "user.exited_beacon" | "user.started_trip" | "user.updated_trip" | "user.approaching_trip_destination" | "user.arrived_at_trip_destination" | "user.arrived_at_wrong_trip_destination" | "user.fired_trip_orders" | "user.stopped_trip" | "user.failed_fraud" | "user.entered_home" | "user.exited_home" | "user.entered_work" | "user.exited_work" | "user.started_traveling" | "user.stopped_traveling" | "user.started_commuting" | "user.stopped_commuting";
                /** @description Up to 100 items. */
                geofenceTags?: string[];
                /** @description Up to 100 items. */
                geofenceIds?: string[];
                /** @description Up to 100 items. */
                beaconTags?: string[];
                /** @description slugs. Up to 100 items. */
                placeChains?: string[];
                /** @description Up to 100 items. */
                categories?: string[];
                /** @description Up to 100 items. */
                tripModes?: string[];
                /** @description 1 to 3. */
                minimumConfidence?: number;
            };
            /** @description users that meet all conditions, without those that meet one of `exclude`; default: all; {} removes it */
            audience?: {
                /** @description at most 16 kB as JSON */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
                /** @description Up to 100 items. */
                segments?: string[];
                /** @description Up to 1000 items. */
                userIds?: string[];
                deviceTypes?: ("iOS" | "Android" | "Web")[];
                exclude?: {
                    /** @description at most 16 kB as JSON */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Up to 100 items. */
                    segments?: string[];
                    /** @description Up to 1000 items. */
                    userIds?: string[];
                    deviceTypes?: ("iOS" | "Android" | "Web")[];
                };
            } | null;
            /** @description replaces the content, or the variants */
            content?: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            /** @description replace the variants, or the content */
            variants?: {
                /**
                 * @description Greater than 0, up to 1000.
                 * @default 1
                 */
                weight?: number;
                content: components["schemas"]["MessageContent"] | components["schemas"]["NotificationContent"];
            }[] | null;
            /** @description share of users that get no message. 0 to 0.9. */
            holdout?: number;
            /** @description a logged event with this name within `days` of the message counts as a conversion; {} removes it */
            goal?: {
                event: string;
                /**
                 * @description Greater than 0, up to 90.
                 * @default 7
                 */
                days?: number;
            } | null;
            /** @description when messages are sent, in the user's time zone; times with an offset are absolute; {} removes it */
            schedule?: {
                startsAt?: string;
                endsAt?: string;
                daysOfWeek?: ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                /** @description Up to 10 items. */
                hours?: [
                    string,
                    string
                ][];
                /** @description default: the user's */
                timeZone?: string;
                /** @description only while the geofence is open */
                operatingHours?: boolean;
            } | null;
            /** @description messages per user (within `days`), minutes between two, and messages in total; {} removes them */
            limits?: {
                /** @description 1 to 100. */
                perUser?: number;
                /** @description period of perUser; default: ever. Greater than 0, up to 366. */
                days?: number;
                /** @description Greater than 0, up to 527040. */
                cooldownMinutes?: number;
                /** @description 1 to 1000000000. */
                total?: number;
            } | null;
        };
        CreateSegmentBody: {
            /** @description name in audiences, filters and geofences; unique */
            externalId: string;
            /** @description Display name in the dashboard. */
            description: string;
            /** @description users that meet all of its conditions, or with match=any one of them */
            rule: {
                /**
                 * @default all
                 * @enum {string}
                 */
                match?: "all" | "any";
                /** @description Up to 10 items. */
                conditions: {
                    /** @enum {string} */
                    type: "geofenceTag" | "geofence" | "chain" | "category" | "metadata" | "lastSeen" | "created" | "deviceType" | "userTag" | "segment" | "country" | "state";
                    /** @description of visits: a tag, an _id of a geofence, a chain's slug or a category */
                    value?: string;
                    /** @description at least this many entries within `days`; default 1. 1 to 1000. */
                    visits?: number;
                    /** @description of visits: days (UTC) with today, up to 90, default 30; of lastSeen and created: within so many days. 1 to 3650. */
                    days?: number;
                    /** @description of visits: at least one in each of the last weeks, Monday to Sunday (UTC). 1 to 12. */
                    weeks?: number;
                    /** @description the user's metadata has all of these values */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description of deviceType, userTag, segment (set by you), country and state (codes): one of them. Up to 100 items. */
                    values?: string[];
                    /** @description the opposite */
                    not?: boolean;
                }[];
            };
        };
        PreviewSegmentBody: {
            /** @description users that meet all of its conditions, or with match=any one of them */
            rule: {
                /**
                 * @default all
                 * @enum {string}
                 */
                match?: "all" | "any";
                /** @description Up to 10 items. */
                conditions: {
                    /** @enum {string} */
                    type: "geofenceTag" | "geofence" | "chain" | "category" | "metadata" | "lastSeen" | "created" | "deviceType" | "userTag" | "segment" | "country" | "state";
                    /** @description of visits: a tag, an _id of a geofence, a chain's slug or a category */
                    value?: string;
                    /** @description at least this many entries within `days`; default 1. 1 to 1000. */
                    visits?: number;
                    /** @description of visits: days (UTC) with today, up to 90, default 30; of lastSeen and created: within so many days. 1 to 3650. */
                    days?: number;
                    /** @description of visits: at least one in each of the last weeks, Monday to Sunday (UTC). 1 to 12. */
                    weeks?: number;
                    /** @description the user's metadata has all of these values */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description of deviceType, userTag, segment (set by you), country and state (codes): one of them. Up to 100 items. */
                    values?: string[];
                    /** @description the opposite */
                    not?: boolean;
                }[];
            };
        };
        UpdateSegmentBody: {
            /** @description name in audiences, filters and geofences; unique */
            externalId?: string;
            /** @description Display name in the dashboard. */
            description?: string;
            /** @description replaces the rule */
            rule?: {
                /**
                 * @default all
                 * @enum {string}
                 */
                match?: "all" | "any";
                /** @description Up to 10 items. */
                conditions: {
                    /** @enum {string} */
                    type: "geofenceTag" | "geofence" | "chain" | "category" | "metadata" | "lastSeen" | "created" | "deviceType" | "userTag" | "segment" | "country" | "state";
                    /** @description of visits: a tag, an _id of a geofence, a chain's slug or a category */
                    value?: string;
                    /** @description at least this many entries within `days`; default 1. 1 to 1000. */
                    visits?: number;
                    /** @description of visits: days (UTC) with today, up to 90, default 30; of lastSeen and created: within so many days. 1 to 3650. */
                    days?: number;
                    /** @description of visits: at least one in each of the last weeks, Monday to Sunday (UTC). 1 to 12. */
                    weeks?: number;
                    /** @description the user's metadata has all of these values */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description of deviceType, userTag, segment (set by you), country and state (codes): one of them. Up to 100 items. */
                    values?: string[];
                    /** @description the opposite */
                    not?: boolean;
                }[];
            };
        };
        CreateBeaconBody: {
            /** @description Display name in the dashboard. */
            description: string;
            /**
             * @description Type.
             * @enum {string}
             */
            type: "ibeacon" | "eddystone";
            /** @description required for ibeacon; a UUID such as f7826da6-4fa2-4e98-8024-bc5b71e0893e */
            uuid?: string;
            /** @description required for ibeacon; 0 to 65535 */
            major?: string;
            /** @description required for ibeacon; 0 to 65535 */
            minor?: string;
            /** @description required for eddystone */
            uid?: string;
            /** @description required for eddystone */
            instance?: string;
            /** @description Group that it belongs to; you choose the name. */
            tag?: string;
            /** @description Your own id; unique together with the tag. */
            externalId?: string;
            /** @description [longitude, latitude]: location of the beacon; devices within one kilometer receive the beacon */
            coordinates: number[];
            /** @description false: it generates no events */
            enabled: boolean;
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
        };
        ImportBeaconsBody: {
            /** @description CSV file as a string, with a header row. */
            csv: string;
            /** @description Reports the result of the import without changing anything. */
            dryRun?: boolean;
            /** @description Name of the file, for the history. */
            filename?: string;
        };
        SetUserFraudBody: {
            /** @description Whether the user passes all fraud checks. */
            bypassed?: boolean;
            /** @description Whether the user's updates are ignored. */
            blocked?: boolean;
        };
        SetUserSegmentsBody: {
            /** @description each {description, externalId}; an empty list removes the user from all. Up to 100 items. */
            segments: {
                description: string;
                externalId: string;
            }[];
        };
        CreateTripBody: {
            /** @description Your own id for the trip. */
            externalId: string;
            /** @description Your own id for the user; don't use a person's name, address or phone number. */
            userId?: string;
            /** @description Tag of the geofence where the trip ends. */
            destinationGeofenceTag?: string;
            /** @description externalId of the geofence where the trip ends. */
            destinationGeofenceExternalId?: string;
            /**
             * @description default car
             * @enum {string}
             */
            mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description ETA in minutes at which the trip is approaching; default: that of the geofence. 0 to 1440. */
            approachingThreshold?: number;
            /**
             * Format: date-time
             * @description Planned arrival time (ISO 8601); a trip with a later ETA is delayed.
             */
            scheduledArrivalAt?: string;
            /** @description each {destination, stopDuration, metadata}; the destination names a geofence (destinationGeofenceTag and destinationGeofenceExternalId, or destinationGeofenceId), an address, or coordinates. Up to 25 items. */
            legs?: {
                _id?: string;
                destination?: {
                    destinationGeofenceTag?: string;
                    destinationGeofenceExternalId?: string;
                    destinationGeofenceId?: string;
                    address?: string;
                    /** @description [longitude, latitude]. Up to 2 items. */
                    coordinates?: [
                        number,
                        number
                    ];
                    /** @description meters; for an address or coordinates, default 100; greater for an address whose house number no data has. 1 to 10000. */
                    arrivalRadius?: number;
                };
                destinationGeofenceTag?: string;
                destinationGeofenceExternalId?: string;
                /** @description minutes. 0 to 10080. */
                stopDuration?: number;
                /** @description at most 16 kB as JSON */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            }[];
            /** @description each {id, guid, handoffMode, fireBeforeMinutes}: fired at this ETA (default: approachingThreshold), at the latest on arrival. In PATCH, known ids are changed and others added; status fired, canceled or completed. Up to 50 items. */
            orders?: {
                id: string;
                guid?: string;
                handoffMode?: string;
                /** @description 0 to 1440. */
                fireBeforeMinutes?: number;
                /** @enum {string} */
                status?: "pending" | "fired" | "canceled" | "completed";
            }[];
        };
        UpdateTripBody: {
            /**
             * @description Status of the trip.
             * @enum {string}
             */
            status?: "started" | "approaching" | "arrived" | "completed" | "canceled";
            /** @description Tag of the geofence where the trip ends. */
            destinationGeofenceTag?: string;
            /** @description externalId of the geofence where the trip ends. */
            destinationGeofenceExternalId?: string;
            /**
             * @description default car
             * @enum {string}
             */
            mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description ETA in minutes at which the trip is approaching; default: that of the geofence. 0 to 1440. */
            approachingThreshold?: number;
            /**
             * Format: date-time
             * @description Planned arrival time (ISO 8601); a trip with a later ETA is delayed.
             */
            scheduledArrivalAt?: string;
            /** @description each {id, guid, handoffMode, fireBeforeMinutes}: fired at this ETA (default: approachingThreshold), at the latest on arrival. In PATCH, known ids are changed and others added; status fired, canceled or completed. Up to 50 items. */
            orders?: {
                id: string;
                guid?: string;
                handoffMode?: string;
                /** @description 0 to 1440. */
                fireBeforeMinutes?: number;
                /** @enum {string} */
                status?: "pending" | "fired" | "canceled" | "completed";
            }[];
            /** @description of the trip's device: the response then has the complete trip */
            deviceId?: string;
            /** @description of the trip's user: the response then has the trip's own fields */
            userId?: string;
            /**
             * Format: date-time
             * @description when the trip ended, if that was earlier: with completed or canceled, and a secret key
             */
            endedAt?: string;
        };
        SetTripLegsBody: {
            /** @description the _id of a leg, or a leg as in POST /v1/trips; with _id, its stopDuration and metadata are replaced. Up to 25 items. */
            legs: (string | {
                _id?: string;
                destination?: {
                    destinationGeofenceTag?: string;
                    destinationGeofenceExternalId?: string;
                    destinationGeofenceId?: string;
                    address?: string;
                    /** @description [longitude, latitude]. Up to 2 items. */
                    coordinates?: [
                        number,
                        number
                    ];
                    /** @description meters; for an address or coordinates, default 100; greater for an address whose house number no data has. 1 to 10000. */
                    arrivalRadius?: number;
                };
                destinationGeofenceTag?: string;
                destinationGeofenceExternalId?: string;
                /** @description minutes. 0 to 10080. */
                stopDuration?: number;
                /** @description at most 16 kB as JSON */
                metadata?: {
                    [key: string]: string | number | boolean;
                };
            })[];
            /** @description of the trip's device: the response then has the complete trip */
            deviceId?: string;
            /** @description of the trip's user: the response then has the trip's own fields */
            userId?: string;
        };
        UpdateTripLegBody: {
            /**
             * @description Status of the trip.
             * @enum {string}
             */
            status: "started" | "approaching" | "arrived" | "completed" | "canceled";
            /** @description of the trip's device: the response then has the complete trip */
            deviceId?: string;
            /** @description of the trip's user: the response then has the trip's own fields */
            userId?: string;
        };
        ShareTripBody: {
            /** @description how long it lasts; default 1440, a day. 1 to 43200. */
            minutes?: number;
            /**
             * Format: date-time
             * @description instead of minutes; at most 30 days from now
             */
            expiresAt?: string;
            /**
             * @description location: current position while the trip is active; route: path so far
             * @default [
             *       "location",
             *       "eta",
             *       "destination"
             *     ]
             */
            show?: ("location" | "eta" | "destination" | "route")[];
        };
        LogConversionBody: {
            /** @description Name of the conversion, which becomes the event's type. */
            name?: string;
            /** @description alias of name */
            type?: string;
            /** @description Your own id for the user; don't use a person's name, address or phone number. */
            userId?: string;
            /** @description Id of the device. */
            deviceId?: string;
            /** @description used if deviceId is absent */
            installId?: string;
            /** @description at most 16 kB as JSON */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /** @description events of a phone without a network: `_id` of the geofence */
            geofenceId?: string;
            /** @description events of a phone without a network: its own `_id` of the event */
            eventId?: string;
            /** @description _id of the campaign that led to the event */
            campaign?: string;
            /** @description stored as metadata.revenue. -10000000000000 to 10000000000000. */
            revenue?: number;
            /**
             * Format: date-time
             * @description Time of the conversion (ISO 8601); absent: now.
             */
            createdAt?: string;
            /** @description minutes. 0 to 5270400. */
            duration?: number;
        };
        VerifyEventBody: {
            /** @description 1, 0 or -1, or `ACCEPT`, `UNVERIFY` or `REJECT` in any case */
            verification: number;
            /** @description id of the place where the user actually was */
            verifiedPlaceId?: string;
            /** @description of the event's device: the response then has the complete event */
            deviceId?: string;
        };
        ExplainBody: {
            /** @description its _id, or its tag and externalId as tag/externalId; required without insights */
            geofence?: string;
            /** @description true: explain what is known of the user's stays, home and work, instead of a geofence */
            insights?: boolean;
            /**
             * Format: date-time
             * @description Time (ISO 8601).
             */
            at: string;
            /** @description userId or _id; this or deviceId is required */
            userId?: string;
            /** @description Id of the device. */
            deviceId?: string;
        };
        CreateWebhookBody: {
            /**
             * @description webhook: posted to your server, signed; kafka: records through a REST proxy; mqtt: published to a broker over WebSocket; bucket: objects with a line per message; queue: Cloudflare Queues; braze, iterable, customerio, segment: events in the format of these platforms
             * @default webhook
             * @enum {string}
             */
            type?: "webhook" | "kafka" | "mqtt" | "bucket" | "queue" | "braze" | "iterable" | "customerio" | "segment";
            /** @description https, a public name */
            url?: string;
            /** @description settings of the type; each type has its own */
            settings?: {
                /** @description webhook: custom body, with placeholders such as {{event.type}}, {{user.userId|A device}}, {{json event.location}} */
                template?: string | null;
                /** @description webhook: media type of the rendered template (application/json) */
                contentType?: string | null;
                /** @description webhook, kafka: additional headers, up to 10; their values are never returned */
                headers?: {
                    [key: string]: string;
                } | null;
                /** @description kafka, mqtt: the topic; mqtt: with placeholders as in a template */
                topic?: string | null;
                /** @description kafka: if set, version 3 of the proxy's API is used, otherwise version 2 */
                clusterId?: string | null;
                /** @description mqtt */
                username?: string | null;
                /** @description mqtt; never returned */
                password?: string | null;
                /** @description bucket: prefix of object names */
                prefix?: string | null;
                /** @description bucket: seconds of events per object (60) */
                seconds?: number | null;
                /** @description bucket: S3 region (auto) */
                region?: string | null;
                /** @description bucket: S3 access key id */
                accessKeyId?: string | null;
                /** @description customerio: site ID of the Track API */
                siteId?: string | null;
                /** @description braze: REST API key with users.track; iterable: server-side key; customerio: key of the Track API; segment: write key of an HTTP API source; never returned */
                apiKey?: string | null;
                /** @description bucket: S3 secret access key; never returned */
                secretAccessKey?: string | null;
            };
            /** @description Display name in the dashboard. */
            description?: string;
            /**
             * @description single: {event, user}; multiple: {events, user} with up to 5 events of one user
             * @default single
             * @enum {string}
             */
            delivery?: "single" | "multiple";
            /** @description only these types are sent; empty or absent: all events. Alerts are sent only to webhooks that list them. Up to 100 items. */
            eventTypes?: string[];
        };
        UpdateWebhookBody: {
            /** @description https, a public name */
            url?: string;
            /** @description settings of the type; each type has its own */
            settings?: {
                /** @description webhook: custom body, with placeholders such as {{event.type}}, {{user.userId|A device}}, {{json event.location}} */
                template?: string | null;
                /** @description webhook: media type of the rendered template (application/json) */
                contentType?: string | null;
                /** @description webhook, kafka: additional headers, up to 10; their values are never returned */
                headers?: {
                    [key: string]: string;
                } | null;
                /** @description kafka, mqtt: the topic; mqtt: with placeholders as in a template */
                topic?: string | null;
                /** @description kafka: if set, version 3 of the proxy's API is used, otherwise version 2 */
                clusterId?: string | null;
                /** @description mqtt */
                username?: string | null;
                /** @description mqtt; never returned */
                password?: string | null;
                /** @description bucket: prefix of object names */
                prefix?: string | null;
                /** @description bucket: seconds of events per object (60) */
                seconds?: number | null;
                /** @description bucket: S3 region (auto) */
                region?: string | null;
                /** @description bucket: S3 access key id */
                accessKeyId?: string | null;
                /** @description customerio: site ID of the Track API */
                siteId?: string | null;
                /** @description braze: REST API key with users.track; iterable: server-side key; customerio: key of the Track API; segment: write key of an HTTP API source; never returned */
                apiKey?: string | null;
                /** @description bucket: S3 secret access key; never returned */
                secretAccessKey?: string | null;
            };
            /** @description Display name in the dashboard. */
            description?: string;
            /**
             * @description single: {event, user}; multiple: {events, user} with up to 5 events of one user
             * @enum {string}
             */
            delivery?: "single" | "multiple";
            /** @description only these types are sent; empty or absent: all events. Alerts are sent only to webhooks that list them. Up to 100 items. */
            eventTypes?: string[];
            /** @description `false` stores it but disables it. */
            enabled?: boolean;
        };
        ReplayDeadLettersBody: {
            /**
             * Format: date-time
             * @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page.
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description Only items created after this time (ISO 8601).
             */
            createdAfter?: string;
        };
        PatchSettingsBody: {
            /** @description read-only: set by the operator, returned by GET */
            rateLimits?: unknown;
            /** @description Retention periods by kind of data. */
            retention?: {
                /** @description days, since the last update; default 365. 1 to 3650. */
                users?: number;
                /** @description days, default 365. 1 to 3650. */
                events?: number;
                /** @description days, default 90. 1 to 3650. */
                trips?: number;
                /** @description days, locations of trips; default 7. 1 to 3650. */
                locations?: number;
                /** @description days, location updates, the newest 32,000 of each user; default 7. 1 to 3650. */
                updates?: number;
            };
            /** @description IANA name: time zone for the days of GET /v1/stats; default UTC */
            timeZone?: string;
            /** @description calls with a publishable key from these countries return 451. Up to 250 items. */
            blockedCountries?: string[];
            /** @description rules of verified tracking */
            verified?: {
                /** @description meters: an update closer to the border of its country or state fails; default 0: never. 0 to 100000. */
                borderBuffer?: number;
                /** @description tags of geofences in which an update fails */
                exclusionTags?: string[] | string[];
            };
            /** @description origins that may call with a publishable key; empty: all. Up to 100 items. */
            allowedOrigins?: string[];
            /** @description origins that may load /maps with a publishable key; empty: all. Up to 100 items. */
            allowedReferrers?: string[];
            /** @description Your own ids for chains, by slug. */
            chainMappings?: {
                [key: string]: string | null;
            };
            /** @description Your own metadata for chains, by slug. */
            chainMetadata?: {
                [key: string]: {
                    [key: string]: (string | number | boolean) | null;
                } | null;
            };
            /** @description Chains and categories that are used as places. */
            placeFilters?: {
                chain?: string[] | null;
                category?: string[] | null;
            };
            /** @description Chains that generate events when near, and the distance. Up to 1000 items. */
            nearbyChains?: string[];
            /** @description Default layers of forward geocoding. */
            geocoding?: {
                /** @description `coarse` and `fine` are accepted; null or an empty list restores the default */
                forwardLayers?: string[] | null;
            };
            /** @description Effects of a location update. */
            tracking?: {
                bufferedEntries?: boolean;
                stopDetection?: boolean;
                /** @description 0 to 10080. */
                dwellThreshold?: number;
                /** @description 1 to 100000. */
                accuracyLimit?: number;
                acceptZeros?: boolean;
                /** @description 0 to 3600. */
                exitDelay?: number;
                regions?: {
                    country?: boolean;
                    state?: boolean;
                    dma?: boolean;
                    postalCode?: boolean;
                };
                places?: boolean;
                beacons?: boolean;
                insights?: boolean;
                fraud?: boolean;
                /** @description 1 to 100000. */
                fraudAccuracy?: number;
            };
            /** @description UUIDs and UIDs to which the SDKs limit beacon ranging. */
            beacons?: {
                uuids?: string[] | null;
                uids?: string[] | null;
            };
            /** @description signed tokens: {required, keys: {"<kid>": {alg, publicKey | secret}}}; null takes a key away. Keys are not shown again */
            tokens?: {
                /** @description apps must send a token with every call about a user */
                required?: boolean;
                keys?: {
                    [key: string]: {
                        /** @enum {string} */
                        alg: "RS256" | "ES256" | "EdDSA" | "HS256";
                        /** @description PEM or JWK, for RS256, ES256 and EdDSA */
                        publicKey?: string | {
                            [key: string]: unknown;
                        };
                        /** @description shared secret of at least 32 bytes, for HS256 */
                        secret?: string;
                    } | null;
                };
            };
            /** @description returned by GET /v1/config. `remoteTrackingOptions`: [{type: default | inGeofence | onTrip, trackingOptions, geofenceTags?}], where trackingOptions is a preset (responsive, efficient, continuous) or an object of options, optionally with `preset`. null removes a value */
            sdk?: {
                /** @enum {string} */
                logLevel?: "none" | "error" | "warning" | "info" | "debug";
                startTrackingOnInitialize?: boolean | null;
                trackOnceOnAppOpen?: boolean | null;
                usePersistence?: boolean | null;
                extendFlushReplays?: boolean | null;
                useLogPersistence?: boolean | null;
                useRadarModifiedBeacon?: boolean | null;
                useOpenedAppConversion?: boolean | null;
                useForegroundLocationUpdatedAtMsDiff?: boolean | null;
                syncAfterSetUser?: boolean | null;
                useSyncRegion?: boolean | null;
                bufferGeofenceEntries?: boolean | null;
                bufferGeofenceExits?: boolean | null;
                stopDetection?: boolean | null;
                skipForegroundCheck?: boolean | null;
                useOfflineRTOUpdates?: boolean | null;
                offlineEventGenerationEnabled?: boolean | null;
                useSwiftLocationManager?: boolean | null;
                startUpdatesWhileInUse?: boolean | null;
                useNotificationDiff?: boolean | null;
                useLocationMetadata?: boolean | null;
                defaultGeofenceDwellThreshold?: number | null;
                remoteTrackingOptions?: {
                    /** @enum {string} */
                    type: "default" | "inGeofence" | "onTrip";
                    trackingOptions: {
                        /** @enum {string} */
                        preset?: "responsive" | "efficient" | "continuous";
                        /** @description 0 to 86400. */
                        desiredStoppedUpdateInterval?: number;
                        /** @description 0 to 86400. */
                        fastestStoppedUpdateInterval?: number;
                        /** @description 0 to 86400. */
                        desiredMovingUpdateInterval?: number;
                        /** @description 0 to 86400. */
                        fastestMovingUpdateInterval?: number;
                        /** @description 0 to 86400. */
                        desiredSyncInterval?: number;
                        /** @description 0 to 86400. */
                        stopDuration?: number;
                        /** @description 0 to 86400. */
                        stopDistance?: number;
                        /** @description 0 to 86400. */
                        stoppedGeofenceRadius?: number;
                        /** @description 0 to 86400. */
                        movingGeofenceRadius?: number;
                        /** @description 0 to 86400. */
                        syncGeofencesLimit?: number;
                        /** @description 0 to 86400. */
                        rampUpRadius?: number;
                        /** @description 0 to 86400. */
                        batchInterval?: number;
                        /** @description 0 to 86400. */
                        batchSize?: number;
                        showBlueBar?: boolean;
                        useStoppedGeofence?: boolean;
                        useMovingGeofence?: boolean;
                        syncGeofences?: boolean;
                        useVisits?: boolean;
                        useSignificantLocationChanges?: boolean;
                        beacons?: boolean;
                        foregroundServiceEnabled?: boolean;
                        useIndoorScan?: boolean;
                        useMotion?: boolean;
                        usePressure?: boolean;
                        /** @enum {string} */
                        desiredAccuracy?: "high" | "medium" | "low" | "none";
                        /** @enum {string} */
                        sync?: "none" | "stopsAndExits" | "events" | "all";
                        /** @enum {string} */
                        replay?: "none" | "stops" | "all";
                        /** Format: date-time */
                        startTrackingAfter?: string;
                        /** Format: date-time */
                        stopTrackingAfter?: string;
                        /** @enum {string} */
                        type?: "default" | "in-geofence" | "on-trip";
                    };
                    /** @description Up to 100 items. */
                    geofenceTags?: string[];
                }[] | null;
            };
            /** @description learning of road speeds from the live devices of the project (default: disabled). Inform the people who carry them first. Disabling deletes what was collected */
            learning?: {
                enabled?: boolean;
                eta?: boolean;
                /** @description 3 to 20. */
                minimumDevices?: number;
            };
            /** @description a list of event kinds, or "all" */
            returnedEventTypes?: "all" | string[];
        };
        PostConfigBody: {
            /** @description Why the SDK requests its settings. */
            usage?: string;
        };
        LogsBody: {
            /** @description Lines of the SDK's own log. Up to 1000 items. */
            logs?: Record<string, never>[];
        };
        RecoveryBody: {
            /**
             * Format: date-time
             * @description a time of the last 30 days
             */
            at: string;
            /**
             * @description `restore` restarts each object with its state at that time
             * @default report
             * @enum {string}
             */
            action?: "report" | "restore";
            /** @description binding of the database whose projects are restored. Default: DB */
            database?: string;
            /** @description `next` of the previous page */
            after?: string;
        };
        SignInBody: {
            /** @description Token from the sign-in link. */
            token: string;
        };
        PasskeySignInBody: {
            /** @description Response of the browser to the options, as in WebAuthn. */
            credential: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        RegisterPasskeyBody: {
            /** @description Response of the browser to the options, as in WebAuthn. */
            credential: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description Name. */
            name?: string;
        };
        AddMemberBody: {
            /** @description Email address of the member. */
            email: string;
            /**
             * @description Role of the member: `read`, `write`, `admin` or `owner`.
             * @enum {string}
             */
            role: "read" | "write" | "admin" | "owner";
        };
        ChangeMemberBody: {
            /**
             * @description Role of the member: `read`, `write`, `admin` or `owner`.
             * @enum {string}
             */
            role: "read" | "write" | "admin" | "owner";
        };
        DescribeAgentBody: {
            /** @description URL of the client's metadata document, or the name of a known client */
            client_id: string;
            /** @description one of the client's; the port of a loopback address may differ */
            redirect_uri: string;
            /** @description code */
            response_type?: string;
            /** @description PKCE: base64url of the SHA-256 of the verifier */
            code_challenge?: string;
            /** @description S256 */
            code_challenge_method?: string;
            /** @description URL of `/mcp` (RFC 8707) */
            resource?: string;
            /** @description read (default), or read and write */
            scope?: string;
            /** @description returned to the client */
            state?: string;
        };
        ConnectAgentBody: {
            /** @description URL of the client's metadata document, or the name of a known client */
            client_id: string;
            /** @description one of the client's; the port of a loopback address may differ */
            redirect_uri: string;
            /** @description code */
            response_type?: string;
            /** @description PKCE: base64url of the SHA-256 of the verifier */
            code_challenge?: string;
            /** @description S256 */
            code_challenge_method?: string;
            /** @description URL of `/mcp` (RFC 8707) */
            resource?: string;
            /** @description read (default), or read and write */
            scope?: string;
            /** @description returned to the client */
            state?: string;
            /**
             * @description the member's decision
             * @enum {string}
             */
            decision: "approve" | "deny";
            /** @description approve: `_id` of the project */
            project?: string;
            /**
             * @description approve: environment of the project
             * @enum {string}
             */
            environment?: "test" | "live";
            /**
             * @description approve: what the agent may do at most
             * @enum {string}
             */
            access?: "read" | "write";
        };
        ChangeProjectBody: {
            /** @description Name. */
            name?: string;
            /** @description every call with a key returns 402 */
            disabled?: boolean;
            /** @description Calls per month; `null`: unlimited. 0 to 1000000000000. */
            monthlyQuota?: number;
            /** @description Calls per second by endpoint, instead of the default limits. */
            rateLimits?: {
                [key: string]: number;
            };
            /** @description is rejected: only an operator's `project move` changes it */
            jurisdiction?: string;
        };
        ActivateGeodataBody: {
            /** @description of the build */
            id: string;
        };
        OauthTokenBody: {
            /** @description authorization_code or refresh_token */
            grant_type?: string;
            /** @description the client that the token or code belongs to */
            client_id?: string;
            /** @description authorization_code: from the redirect; valid once, for a minute */
            code?: string;
            /** @description authorization_code: PKCE, S256 */
            code_verifier?: string;
            /** @description authorization_code: the one of the authorization request */
            redirect_uri?: string;
            /** @description refresh_token: valid once; the response has the next one */
            refresh_token?: string;
            /** @description URL of `/mcp` (RFC 8707) */
            resource?: string;
            /** @description ignored: the scope stays as approved */
            scope?: string;
        };
        OauthRevokeBody: {
            /** @description access or refresh token */
            token?: string;
            /** @description ignored: the token has its kind */
            token_type_hint?: string;
            /** @description the client that the token or code belongs to */
            client_id?: string;
        };
        Error: {
            meta: {
                code: number;
                param?: string;
                message: string;
                type?: string;
            };
        };
    };
    responses: {
        /** @description No content */
        NoContent: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description Id of the message, the same at each attempt. */
        WebhookId: string;
        /** @description When it was sent (seconds since 1970). */
        WebhookTimestamp: string;
        /** @description `v1,` and the HMAC-SHA256 of id, time and body; several, separated by spaces, during a secret rotation. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    track: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                            /** @description options that the SDK uses from now on, from the setting `sdk.remoteTrackingOptions` */
                            trackingOptions?: {
                                desiredStoppedUpdateInterval?: number;
                                fastestStoppedUpdateInterval?: number;
                                desiredMovingUpdateInterval?: number;
                                fastestMovingUpdateInterval?: number;
                                desiredSyncInterval?: number;
                                stopDuration?: number;
                                stopDistance?: number;
                                stoppedGeofenceRadius?: number;
                                movingGeofenceRadius?: number;
                                syncGeofencesLimit?: number;
                                rampUpRadius?: number;
                                batchInterval?: number;
                                batchSize?: number;
                                showBlueBar?: boolean;
                                useStoppedGeofence?: boolean;
                                useMovingGeofence?: boolean;
                                syncGeofences?: boolean;
                                useVisits?: boolean;
                                useSignificantLocationChanges?: boolean;
                                beacons?: boolean;
                                foregroundServiceEnabled?: boolean;
                                useIndoorScan?: boolean;
                                useMotion?: boolean;
                                usePressure?: boolean;
                                desiredAccuracy?: string;
                                sync?: string;
                                replay?: string;
                                startTrackingAfter?: string;
                                stopTrackingAfter?: string;
                                /** @description default, in-geofence or on-trip */
                                type?: string;
                            };
                        };
                        events: components["schemas"]["Event"][];
                        user: {
                            _id: string;
                            live: boolean;
                            userId?: string;
                            deviceId: string;
                            description?: string;
                            metadata?: {
                                [key: string]: string | number | boolean;
                            };
                            /** @description Watched chains that are currently near */
                            nearbyPlaceChains?: {
                                name: string;
                                slug: string;
                                externalId?: string;
                                metadata?: {
                                    [key: string]: string | number | boolean;
                                };
                            }[];
                            /** @description Set by PUT /v1/users/:id/segments, and computed ones */
                            segments?: {
                                description: string;
                                externalId: string;
                                /** @description true: the user meets the rule of POST /v1/segments */
                                computed?: boolean;
                            }[];
                            /** @description Up to 5 chains, the most visited first */
                            topChains?: {
                                name: string;
                                slug: string;
                                externalId?: string;
                            }[];
                            location: components["schemas"]["Point"];
                            /** @description Meters */
                            locationAccuracy: number;
                            altitude?: number;
                            speed?: number;
                            course?: number;
                            /** @description Meters */
                            barometricAltitude?: number;
                            /** @description Activity detected by the device's motion sensors */
                            activityType?: string;
                            userTags?: string[];
                            foreground?: boolean;
                            stopped?: boolean;
                            deviceType?: string;
                            deviceOS?: string;
                            deviceMake?: string;
                            deviceModel?: string;
                            installId?: string;
                            sdkVersion?: string;
                            /** @description Wakeup source of the SDK for the last update */
                            source?: string;
                            locationAuthorization?: string;
                            locationAccuracyAuthorization?: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            /**
                             * Format: date-time
                             * @description When the last update arrived, by the server's clock
                             */
                            actualUpdatedAt?: string;
                            geofences: components["schemas"]["GeofenceLabel"][];
                            trip?: components["schemas"]["Trip"];
                            place?: components["schemas"]["Place"];
                            country?: {
                                _id: string;
                                type: string;
                                code: string;
                                name: string;
                                flag?: string;
                                /** @description verified tracking: the project does not block this country */
                                allowed?: boolean;
                                /** @description verified tracking: it is allowed and expected, and the user is in no exclusion zone, and not nearer to the border than borderBuffer */
                                passed?: boolean;
                                /** @description verified tracking: it is the expected one, if one was specified */
                                expected?: boolean;
                                /** @description verified tracking: the user is in a geofence with one of the project's exclusionTags */
                                inExclusionZone?: boolean;
                                /** @description verified tracking: the border is nearer than the project's borderBuffer, which fails the check, or within the accuracy */
                                inBufferZone?: boolean;
                                /** @description verified tracking: meters to the nearest land border, at most 250000; absent: unknown */
                                distanceToBorder?: number;
                            };
                            state?: {
                                _id: string;
                                type: string;
                                code: string;
                                name: string;
                                flag?: string;
                                /** @description verified tracking: the project does not block this country */
                                allowed?: boolean;
                                /** @description verified tracking: it is allowed and expected, and the user is in no exclusion zone, and not nearer to the border than borderBuffer */
                                passed?: boolean;
                                /** @description verified tracking: it is the expected one, if one was specified */
                                expected?: boolean;
                                /** @description verified tracking: the user is in a geofence with one of the project's exclusionTags */
                                inExclusionZone?: boolean;
                                /** @description verified tracking: the border is nearer than the project's borderBuffer, which fails the check, or within the accuracy */
                                inBufferZone?: boolean;
                                /** @description verified tracking: meters to the nearest land border, at most 250000; absent: unknown */
                                distanceToBorder?: number;
                            };
                            dma?: components["schemas"]["Region"];
                            postalCode?: components["schemas"]["Region"];
                            beacons?: components["schemas"]["BeaconLabel"][];
                            fraud?: components["schemas"]["Fraud"];
                            /** @description If the project has enabled insights */
                            insights?: {
                                homeLocation?: {
                                    /** @enum {string} */
                                    type: "home" | "office";
                                    location: components["schemas"]["Point"];
                                    /** @description 3: at least 8 of the last 14 days, 2: 5, 1: 3 */
                                    confidence: number;
                                    /** Format: date-time */
                                    updatedAt: string;
                                };
                                officeLocation?: {
                                    /** @enum {string} */
                                    type: "home" | "office";
                                    location: components["schemas"]["Point"];
                                    /** @description 3: at least 8 of the last 14 days, 2: 5, 1: 3 */
                                    confidence: number;
                                    /** Format: date-time */
                                    updatedAt: string;
                                };
                                /** @description the current stay, of at least 10 minutes */
                                visit?: {
                                    location: components["schemas"]["Point"];
                                    /** Format: date-time */
                                    startedAt: string;
                                };
                                state: {
                                    home: boolean;
                                    office: boolean;
                                    traveling: boolean;
                                    commuting: boolean;
                                };
                            };
                            ip?: string;
                        };
                        nearbyGeofences?: components["schemas"]["Geofence"][];
                        /** @description messages of campaigns, for the SDK to show */
                        inAppMessages: components["schemas"]["InAppMessage"][];
                        /** @description verified tracking: of this check */
                        _id?: string;
                        /** @description verified tracking: this response, signed (JWT) */
                        token?: string;
                        /**
                         * @description verified tracking: the token is signed, not encrypted
                         * @constant
                         */
                        format?: "JWS";
                        /**
                         * Format: date-time
                         * @description verified tracking: when the token ends
                         */
                        expiresAt?: string;
                        /** @description verified tracking: seconds until it expires */
                        expiresIn?: number;
                        /** @description verified tracking: every check passed */
                        passed?: boolean;
                        /** @description verified tracking: the failed checks */
                        failureReasons?: string[];
                        transactionId?: string;
                    };
                };
            };
        };
    };
    replayTrack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayTrackBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        events: components["schemas"]["Event"][];
                        /** @description absent: no update was valid */
                        user?: components["schemas"]["User"];
                        /** @description messages of campaigns for recent updates */
                        inAppMessages: components["schemas"]["InAppMessage"][];
                        /** @description number of valid updates */
                        accepted: number;
                        /** @description updates that were skipped */
                        rejected: {
                            /** @description position in the batch, from 0 */
                            index: number;
                            /** @description the invalid field */
                            param?: string;
                            /** @description why the update was rejected */
                            message: string;
                        }[];
                    };
                };
            };
        };
    };
    syncRegion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncRegionBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofences: components["schemas"]["Geofence"][];
                        places: components["schemas"]["Place"][];
                        beacons: components["schemas"]["Beacon"][];
                        region: {
                            latitude: number;
                            longitude: number;
                            radius: number;
                        };
                    };
                };
            };
        };
    };
    context: {
        parameters: {
            query: {
                /** @description Position: `latitude,longitude` as decimal degrees. Spaces around the numbers are ignored. */
                coordinates: string;
                /** @description Includes geofences that are limited to this user */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        live: boolean;
                        geofences: components["schemas"]["GeofenceLabel"][];
                        place?: components["schemas"]["Place"];
                        country?: components["schemas"]["Region"];
                        state?: components["schemas"]["Region"];
                        dma?: components["schemas"]["Region"];
                        postalCode?: components["schemas"]["Region"];
                        context: {
                            live: boolean;
                            geofences: components["schemas"]["GeofenceLabel"][];
                            place?: components["schemas"]["Place"];
                            country?: components["schemas"]["Region"];
                            state?: components["schemas"]["Region"];
                            dma?: components["schemas"]["Region"];
                            postalCode?: components["schemas"]["Region"];
                        };
                    };
                };
            };
        };
    };
    revealRisk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevealRiskBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        _id: string;
                        token: string;
                        /** Format: date-time */
                        expiresAt: string;
                        expiresIn: number;
                        transactionId?: string;
                        risk: {
                            /** @enum {string} */
                            level: "low" | "medium" | "high";
                            reasons: string[];
                            /** @description alias of reasons */
                            failureReasons: string[];
                            /** @description 0 low, 0.5 medium, 1 high */
                            score: number;
                        };
                        network: {
                            ipAddress: {
                                /** @description empty: unknown */
                                ip: string;
                                /** @description empty: unknown */
                                countryCode: string;
                                /** @description empty: unknown */
                                country: string;
                                /** @description empty: unknown */
                                countryFlag: string;
                                /** @description empty: unknown */
                                state: string;
                                /** @description empty: unknown */
                                stateCode: string;
                                /** @description empty: unknown */
                                city: string;
                                /** @description empty: unknown */
                                postalCode: string;
                                /** @description empty: unknown */
                                connectionType: string;
                                /** @description empty: unknown */
                                stateConfidence: string;
                                /** @description empty: unknown */
                                countryConfidence: string;
                                /** @description empty: unknown */
                                dma: string;
                                /** @description empty: unknown */
                                dmaCode: string;
                                /** @description empty: unknown */
                                layer: string;
                                latitude?: number;
                                longitude?: number;
                                countryAllowed: boolean;
                                stateAllowed: boolean;
                                geometry?: components["schemas"]["Point"];
                            };
                            privacy: {
                                hosting: boolean;
                                proxy: boolean;
                                relay: boolean;
                                /** @description empty: unknown */
                                service: string;
                                tor: boolean;
                                vpn: boolean;
                                residentialProxy: boolean;
                            };
                            asn: {
                                /** @description empty: unknown */
                                asn: string;
                                /** @description empty: unknown */
                                country: string;
                                /** @description empty: unknown */
                                domain: string;
                                /** @description empty: unknown */
                                name: string;
                                /** @description empty: unknown */
                                network: string;
                                /** @description empty: unknown */
                                type: string;
                            };
                        };
                        device: {
                            /** @description empty: unknown */
                            deviceId: string;
                            /** @description empty: unknown */
                            deviceType: string;
                            /** @description empty: unknown */
                            deviceMake: string;
                            /** @description empty: unknown */
                            deviceModel: string;
                            /** @description empty: unknown */
                            sdkVersion: string;
                            /** @description empty: unknown */
                            xPlatformType: string;
                            /** @description empty: unknown */
                            installId: string;
                            /** @description empty: unknown */
                            appId: string;
                            /** @description empty: unknown */
                            appName: string;
                            /** @description empty: unknown */
                            appVersion: string;
                            /** @description empty: unknown */
                            appBuild: string;
                            /** @description empty: unknown */
                            deviceOSName: string;
                            /** @description empty: unknown */
                            deviceOSVersion: string;
                        };
                    };
                };
            };
        };
    };
    jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jwk-set+json": string;
                };
            };
        };
    };
    ingestTraccarQuery: {
        parameters: {
            query?: {
                /** @description user of the device */
                userId?: string;
                /** @description unit of `speed` in a query or form: knots (Traccar's default), km/h or m/s */
                speedUnit?: "kn" | "kmh" | "ms";
                /** @description the device's identifier, also as `deviceid` */
                id?: string | number;
                /** @description degrees */
                lat?: number;
                /** @description degrees */
                lon?: number;
                /** @description seconds or milliseconds since 1970, or ISO 8601 */
                timestamp?: string | number;
                /** @description meters; otherwise from `hdop`, otherwise 20 */
                accuracy?: number;
                /** @description see `speedUnit` */
                speed?: number;
                /** @description degrees from north, also as `heading` */
                bearing?: number;
                /** @description meters */
                altitude?: number;
                /** @description false: the position is not stored */
                valid?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description number of positions stored */
                        taken: number;
                        /** @description positions that can never be stored; the status is 200, so that the app discards them */
                        rejected: {
                            /** @description position in the batch, from 0 */
                            index: number;
                            /** @description the invalid field */
                            param?: string;
                            /** @description why the update was rejected */
                            message: string;
                        }[];
                    };
                };
            };
        };
    };
    ingestTraccar: {
        parameters: {
            query?: {
                /** @description user of the device */
                userId?: string;
                /** @description unit of `speed` in a query or form: knots (Traccar's default), km/h or m/s */
                speedUnit?: "kn" | "kmh" | "ms";
                /** @description the device's identifier, also as `deviceid` */
                id?: string | number;
                /** @description degrees */
                lat?: number;
                /** @description degrees */
                lon?: number;
                /** @description seconds or milliseconds since 1970, or ISO 8601 */
                timestamp?: string | number;
                /** @description meters; otherwise from `hdop`, otherwise 20 */
                accuracy?: number;
                /** @description see `speedUnit` */
                speed?: number;
                /** @description degrees from north, also as `heading` */
                bearing?: number;
                /** @description meters */
                altitude?: number;
                /** @description false: the position is not stored */
                valid?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestTraccarBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description number of positions stored */
                        taken: number;
                        /** @description positions that can never be stored; the status is 200, so that the app discards them */
                        rejected: {
                            /** @description position in the batch, from 0 */
                            index: number;
                            /** @description the invalid field */
                            param?: string;
                            /** @description why the update was rejected */
                            message: string;
                        }[];
                    };
                };
            };
        };
    };
    ingestOwnTracks: {
        parameters: {
            query?: {
                /** @description user, for setups that cannot send it otherwise */
                u?: string;
                /** @description device, likewise */
                d?: string;
                /** @description true: returns the positions and cards of other users; secret keys only */
                friends?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestOwnTracksBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        /** @enum {string} */
                        _type: "location" | "card";
                        tid: string;
                        topic: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
    };
    ingestOverland: {
        parameters: {
            query?: {
                /** @description user of the device */
                userId?: string;
                /** @description used if the app's own Device ID is empty */
                deviceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestOverlandBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @constant */
                        result: "ok";
                        /** @description positions stored */
                        taken: number;
                        /** @description entries without a valid position */
                        skipped: number;
                    };
                };
            };
        };
    };
    forwardGeocode: {
        parameters: {
            query?: {
                /** @description The address. Required unless the fields of an address are set; a string of spaces is treated as missing. */
                query?: string;
                /** @description Of the house; needs street. Instead of `query`, together with the other fields of an address. */
                number?: string;
                /** @description Instead of `query`, together with the other fields of an address. */
                street?: string;
                /** @description Instead of `query`, together with the other fields of an address. */
                city?: string;
                /** @description Instead of `query`, together with the other fields of an address. */
                postalCode?: string;
                /** @description Its name or its code. Instead of `query`, together with the other fields of an address. */
                state?: string;
                /** @description nearer results come first and have a distance */
                near?: string;
                /** @description results are in this box; for a region, its center */
                bounds?: string;
                /** @description Layers of the results, comma separated. `coarse` is postalCode, locality, county, state and country; `fine` is address and place. Without `layers`: address and coarse, or the project's own default (`geocoding.forwardLayers` of its settings). */
                layers?: string;
                /** @description Limits results to these countries: 2-letter codes, comma separated. */
                country?: string;
                /** @description alias of country */
                countryCode?: string;
                /** @description Language of names and instructions. */
                lang?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";
                /** @description Maximum number of results. 1 to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        addresses: components["schemas"]["Address"][];
                    };
                };
            };
        };
    };
    reverseGeocode: {
        parameters: {
            query: {
                /** @description Position: `latitude,longitude` as decimal degrees. Spaces around the numbers are ignored. */
                coordinates: string;
                /** @description Valid values: place, address, postalCode, locality, county, state, country, coarse, fine. */
                layers?: string;
                /** @description Language of names and instructions. */
                lang?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        addresses: components["schemas"]["Address"][];
                    };
                };
            };
        };
    };
    ipGeocode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        address: {
                            /** @description Id of a house or place in the data, for /v1/addresses/:id and, for the layer place, /v1/places/:id; stable across imports */
                            id?: string;
                            latitude?: number;
                            longitude?: number;
                            geometry?: components["schemas"]["Point"];
                            country?: string;
                            countryCode?: string;
                            countryFlag?: string;
                            county?: string;
                            borough?: string;
                            city?: string;
                            number?: string;
                            unit?: string;
                            neighborhood?: string;
                            postalCode?: string;
                            stateCode?: string;
                            state?: string;
                            street?: string;
                            layer?: string;
                            formattedAddress?: string;
                            addressLabel?: string;
                            placeLabel?: string;
                            /** @description Name of a place or a region */
                            name?: string;
                            /** @description Meters */
                            distance?: number;
                            /** @enum {string} */
                            confidence?: "exact" | "interpolated" | "fallback";
                            /**
                             * @description What the point of an address is: the building or its entrance, its plot (or a point whose source does not say), a point between known houses, or only the street
                             * @enum {string}
                             */
                            precision?: "rooftop" | "parcel" | "interpolated" | "street";
                            /** @description Sources that have the house or place, that of the point first */
                            sources?: string[];
                            /** @description Parts of `formattedAddress` that match the query: pairs of positions [from, to), in UTF-16 units as in JavaScript */
                            matched?: number[][];
                            timeZone?: {
                                id: string;
                                name: string;
                                code: string;
                                currentTime: string;
                                /** @description UTC offset in seconds, including daylight saving */
                                utcOffset: number;
                                /** @description Seconds */
                                dstOffset: number;
                            };
                            /** @description US only */
                            dma?: {
                                code: string;
                                name: string;
                            };
                        };
                        proxy: boolean;
                        ip?: string;
                    };
                };
            };
        };
    };
    autocomplete: {
        parameters: {
            query: {
                /** @description Maximum number of results. 1 to 100. */
                limit?: number;
                /** @description Partial address or place name. A string of spaces is treated as missing. */
                query: string;
                /** @description Position to search around: `latitude,longitude` as decimal degrees. */
                near?: string;
                /** @description results are in this box; for a region, its center */
                bounds?: string;
                /** @description Valid values: place, address, postalCode, locality, county, state, country, coarse, fine. */
                layers?: string;
                /** @description Limits results to these countries: 2-letter codes, comma separated. */
                countryCode?: string;
                /** @description alias that the iOS SDK uses for countryCode */
                country?: string;
                /** @description Language of names and instructions. */
                lang?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        addresses: components["schemas"]["Address"][];
                    };
                };
            };
        };
    };
    autocompleteClick: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutocompleteClickBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    geocodeBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GeocodeBatchBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        rows: {
                            /** @description from 1 */
                            row: number;
                            /** @description as it was sent */
                            id?: string;
                            /** @enum {string} */
                            kind: "forward" | "reverse" | "validate";
                            /** @enum {string} */
                            status: "ok" | "failed";
                            /** @description forward and reverse; empty if nothing is found */
                            addresses?: components["schemas"]["Address"][];
                            /** @description validate */
                            address?: {
                                /** @description the first line as it is printed: 20 JAY ST APT 4B */
                                addressLabel: string;
                                /** @description with its designator where one is known: APT 4B */
                                unit?: string;
                                number?: string;
                                street?: string;
                                city: string;
                                stateCode: string;
                                /** @description 5 digits; in Canada A1A 1A1 */
                                postalCode: string;
                                /** @description only if the data source has it */
                                plus4?: string;
                                county?: string;
                                countryCode: string;
                                formattedAddress: string;
                                /** @description text of the first line that is not part of this address: PO BOX 7 after a street */
                                remainder?: string;
                                metadata: {
                                    /**
                                     * @description street, post office box, rural or highway contract route, high-rise, firm, general delivery
                                     * @enum {string}
                                     */
                                    recordType: "S" | "P" | "R" | "H" | "F" | "G";
                                    /** @enum {string} */
                                    propertyType?: "residential" | "commercial";
                                };
                            };
                            /** @description validate */
                            result?: {
                                /**
                                 * @description 1. `unverified`: no street of that name is known in that city or postal code, or no data is there (`result.coverage` says which). 2. `ambiguous`: two or more addresses fit equally well: none of them is chosen. 3. `partially verified`: the street is known and its house number is not, or is only between two known ones. 4. `partially verified`: the postal code or the city had to be corrected. 5. `partially verified`: the postal code cannot be in that state, and the data has no replacement. 6. `partially verified`: another suffix, direction, first letter or form of the number was written than the only record has. 7. `partially verified`: the source lists units at the address and none was given (`unit:missing`), or it does not list the given unit there (`unit:invalid`). 8. `verified`: exactly one record agrees on number, street and place; spelling, abbreviations, and a suffix or direction that was left out may have been put right.
                                 * @enum {string}
                                 */
                                verificationStatus: "verified" | "partially verified" | "ambiguous" | "unverified";
                                /**
                                 * @description why the unit is not verified: `unit:missing`, the address has units and none was specified; `unit:invalid`, the data does not have this unit at the address
                                 * @enum {string}
                                 */
                                analysis?: "unit:missing" | "unit:invalid";
                                /** @description parts of the response that add to or differ from the request */
                                corrections?: ("number" | "street" | "unit" | "city" | "stateCode" | "postalCode")[];
                                /** @description of an unverified address: what is missing in the data */
                                coverage?: {
                                    /** @enum {string} */
                                    code: "no-data-for-state" | "no-data-for-area" | "no-such-street" | "not-listed" | "not-read";
                                    message: string;
                                };
                            };
                            /** @description of a failed row: 400, 429 if over the limit, 503 if too expensive for one request */
                            code?: number;
                            param?: string;
                            message?: string;
                        }[];
                        total: number;
                        ok: number;
                        failed: number;
                    };
                };
            };
        };
    };
    listGeocodeJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        jobs: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "forward" | "reverse" | "validate";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled";
                            filename?: string;
                            total: number;
                            /** @description finished rows, including failed ones */
                            done: number;
                            failed: number;
                            /** @description which columns each parameter is read from */
                            columns: {
                                [key: string]: string[];
                            };
                        }[];
                    };
                };
            };
        };
    };
    createGeocodeJob: {
        parameters: {
            query?: {
                /** @description Type of request in each row. */
                kind?: "forward" | "reverse" | "validate";
                /** @description Expected JSON such as {"street": "Straße", "query": ["Street", "City"]}, with columns of the file. */
                columns?: string;
                /** @description of all rows; for validate: one country, for rows without their own */
                countryCode?: string;
                /** @description Valid values: place, address, postalCode, locality, county, state, country, coarse, fine. */
                layers?: string;
                /** @description Language of names and instructions. */
                lang?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";
                /** @description Name of the file, for the history. */
                filename?: string;
                /** @description only returns the columns; the beginning of the file is enough */
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGeocodeJobBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job?: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "forward" | "reverse" | "validate";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled";
                            filename?: string;
                            total: number;
                            /** @description finished rows, including failed ones */
                            done: number;
                            failed: number;
                            /** @description which columns each parameter is read from */
                            columns: {
                                [key: string]: string[];
                            };
                        };
                        /** @description with dryRun, instead of a job */
                        preview?: {
                            /** @description the columns of the file */
                            names: string[];
                            /** @description valid parameters of a column */
                            fields: string[];
                            /** @description the parameter detected for each column */
                            columns: {
                                [key: string]: string[];
                            };
                            /** @description the first three */
                            rows: string[][];
                        };
                    };
                };
            };
        };
    };
    getGeocodeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "forward" | "reverse" | "validate";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled";
                            filename?: string;
                            total: number;
                            /** @description finished rows, including failed ones */
                            done: number;
                            failed: number;
                            /** @description which columns each parameter is read from */
                            columns: {
                                [key: string]: string[];
                            };
                        };
                    };
                };
            };
        };
    };
    deleteGeocodeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    getGeocodeJobResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    cancelGeocodeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutocompleteClickBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "forward" | "reverse" | "validate";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled";
                            filename?: string;
                            total: number;
                            /** @description finished rows, including failed ones */
                            done: number;
                            failed: number;
                            /** @description which columns each parameter is read from */
                            columns: {
                                [key: string]: string[];
                            };
                        };
                    };
                };
            };
        };
    };
    searchGeofences: {
        parameters: {
            query: {
                /** @description Position to search around: `latitude,longitude` as decimal degrees. */
                near: string;
                /** @description Maximum number of results, 1 to 1000; more than 100 need includeGeometry=false. */
                limit?: number;
                /** @description meters; absent: unlimited. Greater than 0. */
                radius?: number;
                /** @description Only geofences with one of these tags, comma separated. Up to 100 items. */
                tags?: string[];
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
                /** @description `false` omits the shapes; required for more than 100 geofences. */
                includeGeometry?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofences: components["schemas"]["Geofence"][];
                    };
                };
            };
        };
    };
    searchUsers: {
        parameters: {
            query: {
                /** @description Position to search around: `latitude,longitude` as decimal degrees. */
                near: string;
                /** @description Meters, 100 to 10000 (default 1000); with mode: minutes, 1 to 60 (default 10). */
                radius?: number;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
                /** @description only users with one of these tags. Up to 100 items. */
                userTags?: string[];
                /** @description Maximum number of results. 1 to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        users: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    searchPlaces: {
        parameters: {
            query?: {
                /** @description Slugs of chains, or your own ids for them, comma separated; required without `categories`. Up to 100 items. */
                chains?: string[];
                /** @description Slugs of categories, comma separated; required without `chains`. Up to 100 items. */
                categories?: string[];
                /** @description the first level of categories, such as food-beverage. Up to 100 items. */
                groups?: string[];
                /** @description only places in these countries */
                country?: string;
                /** @description alias of country */
                countryCodes?: string;
                /** @description Three-letter airport code; no other parameter is required with it. */
                iataCode?: string;
                /** @description metadata[key]=value; the value's type is inferred */
                chainMetadata?: {
                    [key: string]: string;
                };
                /** @description required unless iataCode is given */
                near?: string;
                /** @description meters. 1 to 10000. */
                radius?: number;
                /** @description Maximum number of results. 1 to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        places: components["schemas"]["FoundPlace"][];
                    };
                };
            };
        };
    };
    searchBeacons: {
        parameters: {
            query: {
                /** @description Position to search around: `latitude,longitude` as decimal degrees. */
                near: string;
                /** @description meters. Greater than 0, up to 10000. */
                radius?: number;
                /** @description Maximum number of results. 1 to 100. */
                limit?: number;
                /** @description default: for an iPhone, by its X-Radar-Device-Type or User-Agent, ibeacon; otherwise both */
                type?: "ibeacon" | "eddystone";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                            settings?: {
                                beacons: {
                                    uuids: string[];
                                    uids: string[];
                                };
                            };
                        };
                        beacons: components["schemas"]["Beacon"][];
                    };
                };
            };
        };
    };
    getPlace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the place, from searches, contexts and events. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        place: {
                            _id: string;
                            name: string;
                            chain?: {
                                slug: string;
                                name: string;
                                domain?: string;
                                externalId?: string;
                                metadata?: {
                                    [key: string]: string | number | boolean;
                                };
                            };
                            categories: string[];
                            location: components["schemas"]["Point"];
                            address?: components["schemas"]["PlaceAddress"];
                            /** @description Who has the place: OpenStreetMap, Overture or operator */
                            source?: string;
                            openingHours?: {
                                /** @description as OpenStreetMap writes it */
                                text: string;
                                /** @description now; absent if the text cannot be parsed reliably */
                                open?: boolean;
                                /** @description when `open` changes next, if within a week */
                                changesAt?: string;
                            };
                            phone?: string;
                            website?: string;
                            email?: string;
                            /** @description yes, limited, no or designated */
                            wheelchair?: string;
                            cuisine?: string[];
                            brand?: string;
                            /** @description of the place */
                            wikidata?: string;
                            brandWikidata?: string;
                            timeZone: {
                                id: string;
                                name: string;
                                code: string;
                                currentTime: string;
                                /** @description UTC offset in seconds, including daylight saving */
                                utcOffset: number;
                                /** @description Seconds */
                                dstOffset: number;
                            };
                        };
                    };
                };
            };
        };
    };
    validateAddress: {
        parameters: {
            query: {
                /** @description Name of the city. */
                city: string;
                /** @description a state, territory, AA, AE, AP, or a province: 2 letters, or its name */
                stateCode: string;
                /** @description US: 5 digits, +4 accepted; Canada: A1A 1A1, with or without the space */
                postalCode: string;
                /** @description US or CA */
                countryCode: string;
                /** @description of the building or PO box; needs `street` */
                number?: string;
                /** @description needs `number` */
                street?: string;
                /** @description apartment or suite */
                unit?: string;
                /** @description the first line; needed without `number` and `street` */
                addressLabel?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        address: {
                            /** @description the first line as it is printed: 20 JAY ST APT 4B */
                            addressLabel: string;
                            /** @description with its designator where one is known: APT 4B */
                            unit?: string;
                            number?: string;
                            street?: string;
                            city: string;
                            stateCode: string;
                            /** @description 5 digits; in Canada A1A 1A1 */
                            postalCode: string;
                            /** @description only if the data source has it */
                            plus4?: string;
                            county?: string;
                            countryCode: string;
                            formattedAddress: string;
                            /** @description text of the first line that is not part of this address: PO BOX 7 after a street */
                            remainder?: string;
                            metadata: {
                                /**
                                 * @description street, post office box, rural or highway contract route, high-rise, firm, general delivery
                                 * @enum {string}
                                 */
                                recordType: "S" | "P" | "R" | "H" | "F" | "G";
                                /** @enum {string} */
                                propertyType?: "residential" | "commercial";
                            };
                        };
                        result: {
                            /**
                             * @description 1. `unverified`: no street of that name is known in that city or postal code, or no data is there (`result.coverage` says which). 2. `ambiguous`: two or more addresses fit equally well: none of them is chosen. 3. `partially verified`: the street is known and its house number is not, or is only between two known ones. 4. `partially verified`: the postal code or the city had to be corrected. 5. `partially verified`: the postal code cannot be in that state, and the data has no replacement. 6. `partially verified`: another suffix, direction, first letter or form of the number was written than the only record has. 7. `partially verified`: the source lists units at the address and none was given (`unit:missing`), or it does not list the given unit there (`unit:invalid`). 8. `verified`: exactly one record agrees on number, street and place; spelling, abbreviations, and a suffix or direction that was left out may have been put right.
                             * @enum {string}
                             */
                            verificationStatus: "verified" | "partially verified" | "ambiguous" | "unverified";
                            /**
                             * @description why the unit is not verified: `unit:missing`, the address has units and none was specified; `unit:invalid`, the data does not have this unit at the address
                             * @enum {string}
                             */
                            analysis?: "unit:missing" | "unit:invalid";
                            /** @description parts of the response that add to or differ from the request */
                            corrections?: ("number" | "street" | "unit" | "city" | "stateCode" | "postalCode")[];
                            /** @description of an unverified address: what is missing in the data */
                            coverage?: {
                                /** @enum {string} */
                                code: "no-data-for-state" | "no-data-for-area" | "no-such-street" | "not-listed" | "not-read";
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getAddress: {
        parameters: {
            query?: {
                /** @description Language of names and instructions. */
                lang?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";
            };
            header?: never;
            path: {
                /** @description `_id` of the address, from geocoding. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        address: components["schemas"]["Address"];
                    };
                };
            };
        };
    };
    distance: {
        parameters: {
            query: {
                /** @description Start: `latitude,longitude` as decimal degrees. */
                origin: string;
                /** @description End: `latitude,longitude` as decimal degrees. */
                destination: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                modes: ("car" | "truck" | "foot" | "bike" | "motorbike")[];
                /** @description Unit system: feet and miles, or meters and kilometers; also for speeds. */
                units?: "metric" | "imperial";
                /** @description roads to avoid; one is used where there is no other route. lowEmissionZones: for car, truck and motorbike */
                avoid?: ("tolls" | "highways" | "ferries" | "borderCrossings" | "lowEmissionZones")[];
                /** @description names of low-emission zones to avoid (all: `avoid=lowEmissionZones`), as in OpenStreetMap, separated by commas; at most 20. For car, truck and motorbike */
                avoidZones?: string;
                /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
                avoidPolygons?: string;
                /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
                avoidGeofences?: string;
                /** @description Geometry format of the route in each mode; absent: no geometry. */
                geometry?: "linestring" | "polyline5" | "polyline6";
                /** @description maximum number of points of a geometry; default: all. 2 to 100000. */
                geometryPoints?: number;
                /** @description departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time */
                departureTime?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
                /** @description maximum distance from a location to a road [m], default 5000; without a road, there is no route. Greater than 0, up to 5000. */
                maxSnapDistance?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        routes: {
                            geodesic: {
                                distance: components["schemas"]["Quantity"];
                            };
                            car?: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                geometry?: components["schemas"]["Line"];
                                /** @description of the origin and of the destination */
                                snapped: components["schemas"]["Snapped"][];
                            };
                            truck?: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                geometry?: components["schemas"]["Line"];
                                /** @description of the origin and of the destination */
                                snapped: components["schemas"]["Snapped"][];
                            };
                            foot?: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                geometry?: components["schemas"]["Line"];
                                /** @description of the origin and of the destination */
                                snapped: components["schemas"]["Snapped"][];
                            };
                            bike?: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                geometry?: components["schemas"]["Line"];
                                /** @description of the origin and of the destination */
                                snapped: components["schemas"]["Snapped"][];
                            };
                            motorbike?: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                geometry?: components["schemas"]["Line"];
                                /** @description of the origin and of the destination */
                                snapped: components["schemas"]["Snapped"][];
                            };
                        };
                        /** @description the requested modes without a route, and why */
                        unavailable?: {
                            mode: string;
                            message: string;
                        }[];
                    };
                };
            };
        };
    };
    elevation: {
        parameters: {
            query?: {
                /** @description 1 to 512 locations */
                coordinates?: string;
                /** @description points "latitude,longitude" separated by "|", or an encoded line such as the geometry of a route; at most 500 km long */
                path?: string;
                /** @description encoding of `path` */
                geometry?: "polyline5" | "polyline6";
                /** @description points of the profile, at equal distances along the path. 2 to 512. */
                samples?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description of `coordinates`, in their order */
                        elevations?: {
                            latitude: number;
                            longitude: number;
                            /** @description meters above sea level; absent: unknown */
                            elevation?: number;
                        }[];
                        /** @description of `path` */
                        profile?: {
                            /** @description length of the path */
                            distance: number;
                            /** @description sum of all climbs; absent: less than half of the path is known */
                            ascent?: number;
                            /** @description sum of all descents */
                            descent?: number;
                            /** @description lowest sample */
                            min?: number;
                            /** @description highest sample */
                            max?: number;
                            samples: {
                                latitude: number;
                                longitude: number;
                                /** @description meters above sea level; absent: unknown */
                                elevation?: number;
                                /** @description from the start of the path */
                                distance: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    matrix: {
        parameters: {
            query: {
                /** @description 1 to 625 locations */
                origins: string;
                /** @description 1 to 625 locations */
                destinations: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description Unit system: feet and miles, or meters and kilometers; also for speeds. */
                units?: "metric" | "imperial";
                /** @description roads to avoid; one is used where there is no other route. lowEmissionZones: for car, truck and motorbike */
                avoid?: ("tolls" | "highways" | "ferries" | "borderCrossings" | "lowEmissionZones")[];
                /** @description names of low-emission zones to avoid (all: `avoid=lowEmissionZones`), as in OpenStreetMap, separated by commas; at most 20. For car, truck and motorbike */
                avoidZones?: string;
                /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
                avoidPolygons?: string;
                /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
                avoidGeofences?: string;
                /** @description departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time */
                departureTime?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        origins: components["schemas"]["Coordinate"][];
                        destinations: components["schemas"]["Coordinate"][];
                        matrix: {
                            distance: components["schemas"]["Quantity"];
                            duration: components["schemas"]["Quantity"];
                            originIndex: number;
                            destinationIndex: number;
                            estimated?: boolean;
                            onlyThroughAreas?: boolean;
                        }[][];
                    };
                };
            };
        };
    };
    directions: {
        parameters: {
            query: {
                /** @description 2 to 25 locations */
                locations: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description Unit system: feet and miles, or meters and kilometers; also for speeds. */
                units?: "metric" | "imperial";
                /** @description roads to avoid; one is used where there is no other route. lowEmissionZones: for car, truck and motorbike */
                avoid?: ("tolls" | "highways" | "ferries" | "borderCrossings" | "lowEmissionZones")[];
                /** @description names of low-emission zones to avoid (all: `avoid=lowEmissionZones`), as in OpenStreetMap, separated by commas; at most 20. For car, truck and motorbike */
                avoidZones?: string;
                /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
                avoidPolygons?: string;
                /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
                avoidGeofences?: string;
                /** @description Geometry format: GeoJSON, or an encoded polyline with 5 or 6 decimals. Absent: see the default. */
                geometry?: "linestring" | "polyline5" | "polyline6";
                /** @description departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time */
                departureTime?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
                /** @description degrees: north 0, east 90. 0 to 360. */
                heading?: number;
                /** @description direction of travel at each location, separated by "|" (degrees: north 0, east 90); an empty one: any direction */
                headings?: string;
                /** @description maximum distance from a location to a road [m], default 5000; without a road, there is no route. Greater than 0, up to 5000. */
                maxSnapDistance?: number;
                /** @description as `maxSnapDistance`, one number per location, separated by "|"; an empty one: `maxSnapDistance` */
                radiuses?: string;
                /** @description arrive at each location on its side of the road (right, or left where traffic keeps left), so that the street need not be crossed; no effect on foot */
                curbside?: boolean;
                /** @description only with exactly two locations */
                alternatives?: boolean;
                /** @description pt and pt-BR: Brazilian Portuguese; pt-PT: European Portuguese */
                lang?: "de" | "en" | "es" | "fr" | "ja" | "ko" | "pt" | "pt-BR" | "pt-PT" | "ru";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        routes: components["schemas"]["Route"][];
                        /** @description why `routes` is empty */
                        unavailable?: string;
                    };
                };
            };
        };
    };
    match: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        matchedPath: {
                            latitude: number;
                            longitude: number;
                            originalIndex: number;
                        }[];
                        roadAttributes?: {
                            roadClass?: string;
                            speedLimit?: components["schemas"]["Quantity"];
                            /** @description travel speed over at least 60 m, if the trace has times */
                            speed?: components["schemas"]["Quantity"];
                            names?: string[];
                            startLocation: components["schemas"]["Coordinate"];
                            endLocation: components["schemas"]["Coordinate"];
                            originalIndex?: number;
                        }[];
                        geometry: components["schemas"]["Line"];
                        distance: components["schemas"]["Quantity"];
                        /** @description meters or feet up, on foot and by bike where elevations are imported */
                        ascent?: components["schemas"]["Quantity"];
                        /** @description meters or feet down, on foot and by bike where elevations are imported */
                        descent?: components["schemas"]["Quantity"];
                        /**
                         * @description with `format=geojson`
                         * @constant
                         */
                        type?: "FeatureCollection";
                        features?: {
                            /** @constant */
                            type: "Feature";
                            properties: {
                                [key: string]: unknown;
                            };
                            geometry: {
                                /** @constant */
                                type: "LineString";
                                coordinates: number[][];
                            };
                        }[];
                    };
                    "application/gpx+xml": string;
                };
            };
        };
    };
    optimize: {
        parameters: {
            query: {
                /** @description 2 to 10 locations */
                locations: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description Unit system: feet and miles, or meters and kilometers; also for speeds. */
                units?: "metric" | "imperial";
                /** @description Geometry format of the legs; absent: no geometry. */
                geometry?: "linestring" | "polyline5" | "polyline6";
                /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
                avoidPolygons?: string;
                /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
                avoidGeofences?: string;
                /** @description departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time */
                departureTime?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        route?: {
                            distance: components["schemas"]["Quantity"];
                            duration: components["schemas"]["Quantity"];
                            legs: {
                                distance: components["schemas"]["Quantity"];
                                duration: components["schemas"]["Quantity"];
                                startLocation: components["schemas"]["Coordinate"];
                                endLocation: components["schemas"]["Coordinate"];
                                startIndex: number;
                                endIndex: number;
                                geometry?: components["schemas"]["Line"];
                            }[];
                        };
                        unavailable?: string;
                    };
                };
            };
        };
    };
    optimizeFleet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizeFleetBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description 0, the success code of VROOM */
                        code: number;
                        summary: {
                            cost: number;
                            delivery: number[];
                            amount: number[];
                            pickup: number[];
                            setup: number;
                            service: number;
                            /** @description driving alone [s] */
                            duration: number;
                            waiting_time: number;
                            priority: number;
                            /** @description meters */
                            distance: number;
                            /** @description always empty: no limit is broken */
                            violations: string[];
                            routes: number;
                            unassigned: number;
                        };
                        unassigned: {
                            id: number;
                            /** @enum {string} */
                            type: "job" | "pickup" | "delivery";
                            /** @description [longitude, latitude] */
                            location?: number[];
                            location_index?: number;
                            description?: string;
                            /**
                             * @description why it is unassigned: no vehicle has the skills, the capacity, a route (outside the areas to avoid), a feasible time window, or time within its breaks and limits; `fleet`: a vehicle could do it, but not with its other tasks
                             * @enum {string}
                             */
                            reason: "skills" | "capacity" | "unreachable" | "timeWindows" | "limits" | "fleet";
                        }[];
                        routes: {
                            cost: number;
                            delivery: number[];
                            amount: number[];
                            pickup: number[];
                            setup: number;
                            service: number;
                            /** @description driving alone [s] */
                            duration: number;
                            waiting_time: number;
                            priority: number;
                            /** @description meters */
                            distance: number;
                            /** @description always empty: no limit is broken */
                            violations: string[];
                            vehicle: number;
                            description?: string;
                            /** @description polyline of 5 digits, with `options.g` */
                            geometry?: string;
                            steps: {
                                /** @enum {string} */
                                type: "start" | "job" | "pickup" | "delivery" | "break" | "end";
                                id?: number;
                                description?: string;
                                /** @description [longitude, latitude] */
                                location?: number[];
                                location_index?: number;
                                arrival: number;
                                setup: number;
                                service: number;
                                waiting_time: number;
                                /** @description travel time since the start [s] */
                                duration: number;
                                /** @description distance since the start [m] */
                                distance: number;
                                load: number[];
                                /** @description always empty: no limit is broken */
                                violations: string[];
                            }[];
                        }[];
                        /** @description why no plan was found */
                        unavailable?: string;
                    };
                };
            };
        };
    };
    routeGraph: {
        parameters: {
            query: {
                /** @description Position: `latitude,longitude` as decimal degrees. Spaces around the numbers are ignored. */
                coordinates: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode?: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description meters. 1 to 500. */
                radius?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @constant */
                        type: "FeatureCollection";
                        features: {
                            /** @constant */
                            type: "Feature";
                            properties: {
                                tile: number;
                                piece?: number;
                                junction?: number;
                                /** @description meters */
                                length?: number;
                                /** @description seconds */
                                forward?: number;
                                /** @description seconds */
                                backward?: number;
                                /** @description properties from the map data */
                                road?: {
                                    [key: string]: unknown;
                                };
                                /** @description properties of the junction */
                                signs?: {
                                    [key: string]: unknown;
                                };
                            };
                            geometry: {
                                /** @constant */
                                type: "LineString";
                                coordinates: number[][];
                            } | {
                                /** @constant */
                                type: "Point";
                                coordinates: number[];
                            };
                        }[];
                    };
                };
            };
        };
    };
    isochrone: {
        parameters: {
            query: {
                /** @description Start: `latitude,longitude` as decimal degrees. */
                origin: string;
                /** @description truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car */
                mode: "car" | "truck" | "foot" | "bike" | "motorbike";
                /** @description 1 to 5 numbers of minutes, 1 to 60 */
                minutes?: string;
                /** @description instead of minutes: 1 to 5 travel distances, 50 to 100000, along the fastest */
                metres?: string;
                /** @description roads to avoid; one is used where there is no other route. lowEmissionZones: for car, truck and motorbike */
                avoid?: ("tolls" | "highways" | "ferries" | "borderCrossings" | "lowEmissionZones")[];
                /** @description names of low-emission zones to avoid (all: `avoid=lowEmissionZones`), as in OpenStreetMap, separated by commas; at most 20. For car, truck and motorbike */
                avoidZones?: string;
                /** @description areas to avoid: Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most 10 polygons and 1000 positions. A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`. At most 128 tiles of roads (about as many thousand junctions). */
                avoidPolygons?: string;
                /** @description geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most 20 geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing */
                avoidGeofences?: string;
                /** @description departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time */
                departureTime?: string;
                /** @description the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit */
                vehicle?: {
                    /** @description Greater than 0, up to 10. */
                    height?: number;
                    /** @description Greater than 0, up to 10. */
                    width?: number;
                    /** @description Greater than 0, up to 60. */
                    length?: number;
                    /** @description Greater than 0, up to 200. */
                    weight?: number;
                    /** @description Greater than 0, up to 50. */
                    axleLoad?: number;
                    /** @description 2 to 30. */
                    axles?: number;
                    /** @enum {string} */
                    hazmat?: "B" | "C" | "D" | "E";
                    trailer?: boolean;
                    /** @description 1 to 250. */
                    maxSpeed?: number;
                };
                /** @description holes smaller than this share of the largest part are omitted. 0 to 1. */
                denoise?: number;
                /** @description how far the outline may move outward to become simpler [m]; default: full resolution. 0 to 1000. */
                generalise?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @constant */
                        type: "FeatureCollection";
                        features: {
                            /** @constant */
                            type: "Feature";
                            properties: {
                                mode: string;
                                minutes?: number;
                                metres?: number;
                                /** @description square meters */
                                area: number;
                            };
                            geometry: {
                                /** @constant */
                                type: "MultiPolygon";
                                coordinates: number[][][][];
                            };
                        }[];
                    };
                };
            };
        };
    };
    createMatchJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMatchJobBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "match" | "fleet";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled" | "failed";
                            /** @description 0 to 1 */
                            progress: number;
                        };
                    };
                };
            };
        };
    };
    createFleetJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFleetJobBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "match" | "fleet";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled" | "failed";
                            /** @description 0 to 1 */
                            progress: number;
                        };
                    };
                };
            };
        };
    };
    listRouteJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        jobs: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "match" | "fleet";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled" | "failed";
                            /** @description 0 to 1 */
                            progress: number;
                        }[];
                    };
                };
            };
        };
    };
    getRouteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "match" | "fleet";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled" | "failed";
                            /** @description 0 to 1 */
                            progress: number;
                        };
                    };
                };
            };
        };
    };
    deleteRouteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    getRouteJobResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        match?: components["schemas"]["MatchResponse"];
                        fleet?: components["schemas"]["OptimizeFleetResponse"];
                    };
                    "application/gpx+xml": string;
                };
            };
        };
    };
    cancelRouteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutocompleteClickBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        job: {
                            _id: string;
                            createdAt: string;
                            updatedAt: string;
                            /** @description when a finished job and its result are removed */
                            expiresAt?: string;
                            /** @enum {string} */
                            kind: "match" | "fleet";
                            /** @enum {string} */
                            status: "receiving" | "running" | "finished" | "cancelled" | "failed";
                            /** @description 0 to 1 */
                            progress: number;
                        };
                    };
                };
            };
        };
    };
    staticMap: {
        parameters: {
            query: {
                /** @description pixels, times scale. 100 to 2048. */
                width: number;
                /** @description pixels, times scale. 100 to 2048. */
                height: number;
                /** @description multiplies the image size by 2 or 3 for the same area. 1 to 3. */
                scale?: number;
                /** @description latitude,longitude, or the name of a place */
                center?: string;
                /** @description fractions allowed; the world is 512 × 2^zoom pixels wide. 0 to 23. */
                zoom?: number;
                /** @description Area that must be visible: `minLat,minLon,maxLat,maxLon`. */
                bbox?: string;
                /** @description pixels around what is fitted: 16, or top,right,bottom,left */
                padding?: string;
                /** @description 0 only: north is up */
                bearing?: number;
                /** @description 0 only: maps are always seen from straight above */
                pitch?: number;
                /** @description radar-default-v1, radar-light-v1, radar-dark-v1, grayscale, white, black, or the id of your own style */
                style?: string;
                /** @description language of labels, if available */
                language?: string;
                /** @description railways and lines of public transport below zoom 12 too */
                transit?: boolean;
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
                /** @description Response format. */
                format?: "png" | "webp" | "jpeg" | "svg";
                /** @description auto: long if the width is 300 pixels or more; false, with a secret key or a signed URL: none in the image, because you show the header `x-graticule-attribution` yourself */
                attribution?: "auto" | "long" | "short" | "false";
                /** @description id of a style layer: paths and areas are drawn below it */
                before_layer?: string;
                /** @description repeatable: color:|size:|icon:|label:|symbol:|anchor:|text:|lat,lon or the name of a place|… */
                markers?: string;
                /** @description repeatable: stroke:|width:|border:|borderWidth:|fill:|geodesic:|lat,lon|… or enc:… or enc6:…; after hole: the ring of a hole */
                path?: string;
                /** @description GeoJSON; features are styled by their simplestyle properties */
                geojson?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/svg+xml": string;
                };
            };
        };
    };
    postStaticMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostStaticMapBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/svg+xml": string;
                };
            };
        };
    };
    signMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignMapBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        url: string;
                        expiresAt: string;
                    };
                };
            };
        };
    };
    mapStyle: {
        parameters: {
            query?: {
                /** @description language of labels, if available */
                language?: string;
                /** @description railways and lines of public transport below zoom 12 too */
                transit?: boolean;
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
            };
            header?: never;
            path: {
                /** @description Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded. */
                style: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    mapTileJson: {
        parameters: {
            query?: {
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    mapTile: {
        parameters: {
            query?: {
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
            };
            header?: never;
            path: {
                /** @description Zoom of the tile. */
                z: string;
                /** @description Column of the tile, from the west. */
                x: string;
                /** @description Row of the tile, from the north, with or without its ending (`.mvt`, `.png`). */
                y: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            204: components["responses"]["NoContent"];
        };
    };
    rasterTileJson: {
        parameters: {
            query?: {
                /** @description language of labels, if available */
                language?: string;
                /** @description railways and lines of public transport below zoom 12 too */
                transit?: boolean;
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
            };
            header?: never;
            path: {
                /** @description Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded. */
                style: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    rasterTile: {
        parameters: {
            query?: {
                /** @description language of labels, if available */
                language?: string;
                /** @description railways and lines of public transport below zoom 12 too */
                transit?: boolean;
                /** @description terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more */
                layers?: "terrain"[];
            };
            header?: never;
            path: {
                /** @description Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded. */
                style: string;
                /** @description Zoom of the tile. */
                z: string;
                /** @description Column of the tile, from the west. */
                x: string;
                /** @description Row of the tile, from the north, with or without its ending (`.mvt`, `.png`). */
                y: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    mapGlyphs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Names of fonts, comma separated, as in a style. */
                fontstack: string;
                /** @description A range of 256 characters: `0-255.pbf`, `256-511.pbf`, … */
                range: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                };
            };
        };
    };
    mapSprite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the sprite with its ending: `….json`, `….png`, `…@2x.json`, `…@2x.png`. */
                sprite: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    mapMarker: {
        parameters: {
            query?: {
                /** @description output pixels per image pixel; an upload has up to 64 × 64 pixels. 1 to 3. */
                scale?: number;
            };
            header?: never;
            path: {
                /** @description Name of an uploaded icon, or of one of the default style (`bus`, `museum`, …). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query?: {
                /** @description output pixels per image pixel; an upload has up to 64 × 64 pixels. 1 to 3. */
                scale?: number;
            };
            header?: never;
            path: {
                /** @description Name of an uploaded image, with or without `.png`, or the URL of a campaign's image. */
                url: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/gif": string;
                };
            };
        };
    };
    uploadMapIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the icon, as `markers=icon:…` uses it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadMapIconBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        icon: {
                            _id: string;
                            bytes: number;
                            updatedAt: string;
                        };
                    };
                };
            };
        };
    };
    deleteMapIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the icon, as `markers=icon:…` uses it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    listMapIcons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        icons: {
                            _id: string;
                            bytes: number;
                            updatedAt: string;
                        }[];
                    };
                };
            };
        };
    };
    getMapStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the style, as `style=…` uses it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        style: {
                            version: number;
                            layers: {
                                [key: string]: unknown;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    uploadMapStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the style, as `style=…` uses it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadMapStyleBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        style: {
                            _id: string;
                            bytes: number;
                            updatedAt: string;
                        };
                    };
                };
            };
        };
    };
    deleteMapStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the style, as `style=…` uses it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    listMapStyles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        styles: {
                            _id: string;
                            bytes: number;
                            updatedAt: string;
                        }[];
                    };
                };
            };
        };
    };
    listGeofences: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description Only items updated before this time (ISO 8601); use the time of a page's last row to get the next page. */
                updatedBefore?: string;
                /** @description Only items updated after this time (ISO 8601). */
                updatedAfter?: string;
                /** @description Group that it belongs to; you choose the name. */
                tag?: string;
                /** @description Your own id; unique together with the tag. */
                externalId?: string;
                /** @description part of a description, tag or externalId; or an _id */
                search?: string;
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofences: components["schemas"]["Geofence"][];
                    };
                };
            };
        };
    };
    createGeofence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGeofenceBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofence: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    geofenceUsersById: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `_id` of the geofence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        users?: components["schemas"]["User"][];
                        geofence?: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    geofenceUsers: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        users: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    getGeofence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofence: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    upsertGeofence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGeofenceBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofence: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    deleteGeofence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    getGeofenceById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the geofence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofence: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    updateGeofence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the geofence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGeofenceBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        geofence: components["schemas"]["Geofence"];
                    };
                };
            };
        };
    };
    deleteGeofenceById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the geofence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    listGeofenceImports: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        imports: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line?: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                                /** @description from 1, without the header row */
                                row: number;
                                description?: string;
                            }[];
                            /** @enum {string} */
                            format: "csv" | "geojson";
                            /** @description unknown columns or properties */
                            ignored: string[];
                        }[];
                    };
                };
            };
        };
    };
    importGeofences: {
        parameters: {
            query?: {
                /** @description Reports the result of the import without changing anything. */
                dryRun?: boolean;
                /** @description Name of the file, for the history. */
                filename?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportGeofencesBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        import: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line?: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                                /** @description from 1, without the header row */
                                row: number;
                                description?: string;
                            }[];
                            /** @enum {string} */
                            format: "csv" | "geojson";
                            /** @description unknown columns or properties */
                            ignored: string[];
                            dryRun: boolean;
                        };
                        rows: {
                            line?: number;
                            /** @enum {string} */
                            status: "created" | "updated" | "unchanged" | "failed";
                            _id?: string;
                            tag?: string;
                            externalId?: string;
                            param?: string;
                            message?: string;
                            /** @description from 1, without the header row */
                            row: number;
                            description?: string;
                        }[];
                    };
                };
            };
        };
    };
    getGeofenceImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        import: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line?: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                                /** @description from 1, without the header row */
                                row: number;
                                description?: string;
                            }[];
                            /** @enum {string} */
                            format: "csv" | "geojson";
                            /** @description unknown columns or properties */
                            ignored: string[];
                        };
                    };
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        campaigns: components["schemas"]["Campaign"][];
                    };
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaignBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        campaign: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        campaign: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaignBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        campaign: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    explainCampaign: {
        parameters: {
            query: {
                /** @description _id, userId or deviceId */
                user: string;
            };
            header?: never;
            path: {
                /** @description `_id` of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        user: {
                            _id: string;
                            userId?: string;
                            deviceId: string;
                        };
                        /** @description an event that matches the trigger would send the message now */
                        eligible: boolean;
                        sentence: string;
                        checks: {
                            rule: string;
                            passed: boolean;
                            sentence: string;
                        }[];
                        variant: number;
                        /** @description messages that the user got */
                        messages: number;
                        /** Format: date-time */
                        lastSentAt?: string;
                        /** @description the last event that matched the trigger without a message; for the same reason again, its time is exact to 10 minutes */
                        lastRefused?: {
                            /** Format: date-time */
                            at: string;
                            event: string;
                            reason: string;
                        };
                    };
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        segments: components["schemas"]["Segment"][];
                    };
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegmentBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    previewSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewSegmentBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description users compared */
                        compared: number;
                        /** @description users that meet the rule */
                        matched: number;
                        users: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` or `externalId` of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` or `externalId` of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` or `externalId` of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSegmentBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    listSegmentUsers: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description _id of the last user of the previous page */
                after?: string;
            };
            header?: never;
            path: {
                /** @description `_id` or `externalId` of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        users: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    listBeacons: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description Group that it belongs to; you choose the name. */
                tag?: string;
                /** @description Your own id; unique together with the tag. */
                externalId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacons: components["schemas"]["Beacon"][];
                    };
                };
            };
        };
    };
    createBeacon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBeaconBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacon: components["schemas"]["Beacon"];
                    };
                };
            };
        };
    };
    getBeacon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacon: components["schemas"]["Beacon"];
                    };
                };
            };
        };
    };
    upsertBeacon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBeaconBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacon: components["schemas"]["Beacon"];
                    };
                };
            };
        };
    };
    deleteBeacon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Group that it belongs to; you choose the name. */
                tag: string;
                /** @description Your own id; unique together with the tag. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    getBeaconById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the beacon. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacon: components["schemas"]["Beacon"];
                    };
                };
            };
        };
    };
    updateBeacon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the beacon. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBeaconBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        beacon: components["schemas"]["Beacon"];
                    };
                };
            };
        };
    };
    deleteBeaconById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the beacon. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    listBeaconImports: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        imports: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
    importBeacons: {
        parameters: {
            query?: {
                /** @description Reports the result of the import without changing anything. */
                dryRun?: boolean;
                /** @description Name of the file, for the history. */
                filename?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportBeaconsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        import: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                            }[];
                            dryRun: boolean;
                        };
                        rows: {
                            line: number;
                            /** @enum {string} */
                            status: "created" | "updated" | "unchanged" | "failed";
                            _id?: string;
                            tag?: string;
                            externalId?: string;
                            param?: string;
                            message?: string;
                        }[];
                    };
                };
            };
        };
    };
    getBeaconImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        import: {
                            _id: string;
                            createdAt: string;
                            live: boolean;
                            filename?: string;
                            total: number;
                            created: number;
                            updated: number;
                            unchanged: number;
                            failed: number;
                            /** @description the first 100 */
                            failures: {
                                line: number;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "failed";
                                _id?: string;
                                tag?: string;
                                externalId?: string;
                                param?: string;
                                message?: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items updated before this time (ISO 8601); use the time of a page's last row to get the next page. */
                updatedBefore?: string;
                /** @description Only items updated after this time (ISO 8601). */
                updatedAfter?: string;
                /** @description part of a userId, deviceId or description; or an _id */
                search?: string;
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
                /** @description the externalId of a segment, set by you or computed */
                segment?: string;
                /** @description only users with one of these tags. Up to 100 items. */
                userTags?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        users: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        user: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    setUserFraud: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserFraudBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        user: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    setUserSegments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserSegmentsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        user: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    listUserUpdates: {
        parameters: {
            query?: {
                /** @description Start time (ISO 8601). */
                from?: string;
                /** @description End time (ISO 8601). */
                to?: string;
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
                /** @description `nextCursor` of the previous response */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        updates: {
                            /**
                             * Format: date-time
                             * @description Time of the location
                             */
                            at: string;
                            /** Format: date-time */
                            receivedAt: string;
                            location: components["schemas"]["Point"];
                            /** @description Meters */
                            accuracy: number;
                            altitude?: number;
                            /** @description m/s */
                            speed?: number;
                            /** @description Degrees */
                            course?: number;
                            stopped?: boolean;
                            foreground?: boolean;
                            replayed?: boolean;
                            source?: string;
                            /** @description False if older than the newest point: the user did not move */
                            counted: boolean;
                            /** @description _ids of the generated events */
                            events: string[];
                        }[];
                        /** @description absent: this is the last page */
                        nextCursor?: string;
                    };
                };
            };
        };
    };
    listTrips: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only trips of these statuses, comma separated. */
                status?: ("pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired")[];
                /** @description Only trips with one of these externalIds, comma separated. Up to 100 items. */
                externalId?: string[];
                /** @description Your own id for the user; don't use a person's name, address or phone number. */
                userId?: string;
                /** @description Tag of the geofence where the trip ends. */
                destinationGeofenceTag?: string;
                /** @description externalId of the geofence where the trip ends. */
                destinationGeofenceExternalId?: string;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description true: only trips later than scheduledArrivalAt; false: only others */
                delayed?: boolean;
                /** @description Time to sort by, newest first. */
                sortBy?: "createdAt" | "updatedAt";
                /** @description at most 50000 over all trips */
                includeLocations?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trips: {
                            _id: string;
                            live: boolean;
                            externalId: string;
                            metadata?: {
                                [key: string]: string | number | boolean;
                            };
                            mode: string;
                            /** @enum {string} */
                            status: "pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired";
                            destinationGeofenceTag?: string;
                            destinationGeofenceExternalId?: string;
                            destinationLocation?: components["schemas"]["Point"];
                            /** @description Minutes */
                            approachingThreshold?: number;
                            /** Format: date-time */
                            scheduledArrivalAt?: string;
                            /** @description Minutes and meters to the destination; with several legs, to the last one */
                            eta?: {
                                duration: number;
                                distance: number;
                            };
                            /** @description Trips with several legs: the legs, in travel order */
                            legs?: components["schemas"]["TripLeg"][];
                            /** @description The _id of the first leg that has not ended */
                            currentLeg?: string;
                            /** @description Same as currentLeg */
                            currentLegId?: string;
                            /** @description Delay in minutes relative to scheduledArrivalAt; negative if early */
                            delay?: {
                                delayed: boolean;
                                scheduledArrivalTimeDelay: number;
                            };
                            /** @description Orders that are fired before the arrival */
                            orders?: {
                                id: string;
                                guid?: string;
                                handoffMode?: string;
                                fireBeforeMinutes?: number;
                                /** @enum {string} */
                                status: "pending" | "fired" | "canceled" | "completed";
                                /** Format: date-time */
                                firedAt?: string;
                                firedAttempts?: number;
                                /** @description eta (`fireBeforeMinutes` was reached), arrival, or manual (by PATCH) */
                                firedReason?: string;
                                /** Format: date-time */
                                updatedAt: string;
                            }[];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            /** Format: date-time */
                            startedAt?: string;
                            /** Format: date-time */
                            approachingAt?: string;
                            /** Format: date-time */
                            arrivedAt?: string;
                            /** Format: date-time */
                            endedAt?: string;
                            userId?: string;
                            user?: {
                                _id: string;
                                userId?: string;
                                deviceId: string;
                            };
                            locations?: {
                                location: components["schemas"]["Point"];
                                locationAccuracy: number;
                                createdAt: string;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
    createTrip: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTripBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trip: {
                            _id: string;
                            live: boolean;
                            externalId: string;
                            metadata?: {
                                [key: string]: string | number | boolean;
                            };
                            mode: string;
                            /** @enum {string} */
                            status: "pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired";
                            destinationGeofenceTag?: string;
                            destinationGeofenceExternalId?: string;
                            destinationLocation?: components["schemas"]["Point"];
                            /** @description Minutes */
                            approachingThreshold?: number;
                            /** Format: date-time */
                            scheduledArrivalAt?: string;
                            /** @description Minutes and meters to the destination; with several legs, to the last one */
                            eta?: {
                                duration: number;
                                distance: number;
                            };
                            /** @description Trips with several legs: the legs, in travel order */
                            legs?: components["schemas"]["TripLeg"][];
                            /** @description The _id of the first leg that has not ended */
                            currentLeg?: string;
                            /** @description Same as currentLeg */
                            currentLegId?: string;
                            /** @description Delay in minutes relative to scheduledArrivalAt; negative if early */
                            delay?: {
                                delayed: boolean;
                                scheduledArrivalTimeDelay: number;
                            };
                            /** @description Orders that are fired before the arrival */
                            orders?: {
                                id: string;
                                guid?: string;
                                handoffMode?: string;
                                fireBeforeMinutes?: number;
                                /** @enum {string} */
                                status: "pending" | "fired" | "canceled" | "completed";
                                /** Format: date-time */
                                firedAt?: string;
                                firedAttempts?: number;
                                /** @description eta (`fireBeforeMinutes` was reached), arrival, or manual (by PATCH) */
                                firedReason?: string;
                                /** Format: date-time */
                                updatedAt: string;
                            }[];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            /** Format: date-time */
                            startedAt?: string;
                            /** Format: date-time */
                            approachingAt?: string;
                            /** Format: date-time */
                            arrivedAt?: string;
                            /** Format: date-time */
                            endedAt?: string;
                            userId?: string;
                            user?: {
                                _id: string;
                                userId?: string;
                                deviceId: string;
                                metadata: {
                                    [key: string]: string | number | boolean;
                                };
                            };
                            /** @description none yet */
                            locations: Record<string, never>[];
                        };
                        /** @description if the user exists and the caller has proved that it knows the user */
                        user?: {
                            _id: string;
                            userId?: string;
                            deviceId: string;
                            metadata: {
                                [key: string]: string | number | boolean;
                            };
                        };
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    updateTrip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTripBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trip: components["schemas"]["Trip"];
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    setTripLegs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetTripLegsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trip: components["schemas"]["Trip"];
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    updateTripLeg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
                /** @description `_id` of the leg, from the trip. */
                legId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTripLegBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trip: components["schemas"]["Trip"];
                        leg: components["schemas"]["TripLeg"];
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    getTrip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        trip: components["schemas"]["Trip"];
                    };
                };
            };
        };
    };
    deleteTrip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    tripRoute: {
        parameters: {
            query?: {
                /** @description Unit system: feet and miles, or meters and kilometers; also for speeds. */
                units?: "metric" | "imperial";
            };
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        route: {
                            locations: {
                                location: components["schemas"]["Point"];
                                locationAccuracy: number;
                                createdAt: string;
                            }[];
                            /** @description if it has at least two locations */
                            geometry?: {
                                /** @constant */
                                type: "LineString";
                                coordinates: [
                                    number,
                                    number
                                ][];
                            };
                            /** @description sum of the straight lines between the locations */
                            distance: components["schemas"]["Quantity"];
                        };
                    };
                };
            };
        };
    };
    listTripShares: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        shares: {
                            _id: string;
                            tripId: string;
                            /** @enum {string} */
                            state: "active" | "expired" | "revoked";
                            show: ("location" | "eta" | "destination" | "route")[];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            /** Format: date-time */
                            revokedAt?: string;
                        }[];
                    };
                };
            };
        };
    };
    shareTrip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trip's `_id` or `externalId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareTripBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        share: {
                            _id: string;
                            tripId: string;
                            /** @enum {string} */
                            state: "active" | "expired" | "revoked";
                            show: ("location" | "eta" | "destination" | "route")[];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            /** Format: date-time */
                            revokedAt?: string;
                            token: string;
                            url: string;
                        };
                    };
                };
            };
        };
    };
    openTripShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        share: {
                            /** @enum {string} */
                            status: "pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired";
                            mode: string;
                            show: ("location" | "eta" | "destination" | "route")[];
                            /**
                             * Format: date-time
                             * @description When the link expires
                             */
                            expiresAt: string;
                            /** Format: date-time */
                            startedAt?: string;
                            /** Format: date-time */
                            arrivedAt?: string;
                            /**
                             * Format: date-time
                             * @description For completed, canceled and expired trips, which no longer include a location
                             */
                            endedAt?: string;
                            /**
                             * Format: date-time
                             * @description Time of the trip's last update
                             */
                            updatedAt: string;
                            location?: components["schemas"]["Point"];
                            /** @description Meters */
                            locationAccuracy?: number;
                            /** Format: date-time */
                            locatedAt?: string;
                            /** @description Minutes and meters to the destination, as of updatedAt */
                            eta?: {
                                duration: number;
                                distance: number;
                                /** Format: date-time */
                                arrivesAt: string;
                            };
                            /** Format: date-time */
                            scheduledArrivalAt?: string;
                            destination?: {
                                location: components["schemas"]["Point"];
                            };
                            /** @description The track so far, with at most 2000 points */
                            route?: {
                                /** @constant */
                                type: "LineString";
                                coordinates: [
                                    number,
                                    number
                                ][];
                            };
                        };
                    };
                };
            };
        };
    };
    revokeTripShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    shareMapStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
                /** @description Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded. */
                style: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    shareMapTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
                /** @description Zoom of the tile. */
                z: string;
                /** @description Column of the tile, from the west. */
                x: string;
                /** @description Row of the tile, from the north, with or without its ending (`.mvt`, `.png`). */
                y: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            204: components["responses"]["NoContent"];
        };
    };
    shareMapGlyphs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
                /** @description Names of fonts, comma separated, as in a style. */
                fontstack: string;
                /** @description A range of 256 characters: `0-255.pbf`, `256-511.pbf`, … */
                range: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                };
            };
        };
    };
    shareMapSprite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link; to revoke it, its `_id`. */
                id: string;
                /** @description Name of the sprite with its ending: `….json`, `….png`, `…@2x.json`, `…@2x.png`. */
                sprite: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description only these types, comma separated; names of conversions are allowed. Up to 100 items. */
                types?: string[];
                /** @description only events of this user: an _id, userId or deviceId */
                userId?: string;
                /** @description Minimum confidence of events: 1 low, 2 medium, 3 high. */
                confidence?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    logConversion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogConversionBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        event: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    verifyEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEventBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        event: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        event: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    explainEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        explanation: {
                            /** @description The explained event, if any */
                            event?: components["schemas"]["Event"];
                            geofence?: components["schemas"]["GeofenceLabel"];
                            /** @description An event's type; for a geofence: entered, exited, dwelled, inside or outside (no event), ignored (the update did not move the user); unknown (the update is no longer stored), api (generated by an API call) */
                            verdict: string;
                            sentence: string;
                            /** @description The decisive update */
                            update?: {
                                /**
                                 * Format: date-time
                                 * @description Time of the location
                                 */
                                at: string;
                                /** Format: date-time */
                                receivedAt: string;
                                location: components["schemas"]["Point"];
                                /** @description Meters */
                                accuracy: number;
                                altitude?: number;
                                /** @description m/s */
                                speed?: number;
                                /** @description Degrees */
                                course?: number;
                                stopped?: boolean;
                                foreground?: boolean;
                                replayed?: boolean;
                                source?: string;
                                /** @description False if older than the newest point: the user did not move */
                                counted: boolean;
                                /** @description _ids of the generated events */
                                events: string[];
                            };
                            /** @description The user before the update; absent for the first update */
                            before?: {
                                /** Format: date-time */
                                at: string;
                                location: components["schemas"]["Point"];
                                accuracy: number;
                                geofences: {
                                    _id: string;
                                    tag?: string;
                                    externalId?: string;
                                    description?: string;
                                    /** Format: date-time */
                                    enteredAt: string;
                                    dwelled: boolean;
                                }[];
                                place?: {
                                    _id: string;
                                    name: string;
                                    /** Format: date-time */
                                    enteredAt: string;
                                };
                                trip?: {
                                    _id: string;
                                    externalId: string;
                                    status: string;
                                };
                            };
                            /** @description All decisions, in order */
                            steps: {
                                /** @description Setting or field that governs the decision */
                                rule: string;
                                passed: boolean;
                                sentence: string;
                                figures: {
                                    [key: string]: string | number | boolean;
                                };
                            }[];
                            /** @description Data that has changed since or is no longer stored, in sentences */
                            notKnown: string[];
                        };
                    };
                };
            };
        };
    };
    explain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        explanation: {
                            /** @description The explained event, if any */
                            event?: components["schemas"]["Event"];
                            geofence?: components["schemas"]["GeofenceLabel"];
                            /** @description An event's type; for a geofence: entered, exited, dwelled, inside or outside (no event), ignored (the update did not move the user); unknown (the update is no longer stored), api (generated by an API call) */
                            verdict: string;
                            sentence: string;
                            /** @description The decisive update */
                            update?: {
                                /**
                                 * Format: date-time
                                 * @description Time of the location
                                 */
                                at: string;
                                /** Format: date-time */
                                receivedAt: string;
                                location: components["schemas"]["Point"];
                                /** @description Meters */
                                accuracy: number;
                                altitude?: number;
                                /** @description m/s */
                                speed?: number;
                                /** @description Degrees */
                                course?: number;
                                stopped?: boolean;
                                foreground?: boolean;
                                replayed?: boolean;
                                source?: string;
                                /** @description False if older than the newest point: the user did not move */
                                counted: boolean;
                                /** @description _ids of the generated events */
                                events: string[];
                            };
                            /** @description The user before the update; absent for the first update */
                            before?: {
                                /** Format: date-time */
                                at: string;
                                location: components["schemas"]["Point"];
                                accuracy: number;
                                geofences: {
                                    _id: string;
                                    tag?: string;
                                    externalId?: string;
                                    description?: string;
                                    /** Format: date-time */
                                    enteredAt: string;
                                    dwelled: boolean;
                                }[];
                                place?: {
                                    _id: string;
                                    name: string;
                                    /** Format: date-time */
                                    enteredAt: string;
                                };
                                trip?: {
                                    _id: string;
                                    externalId: string;
                                    status: string;
                                };
                            };
                            /** @description All decisions, in order */
                            steps: {
                                /** @description Setting or field that governs the decision */
                                rule: string;
                                passed: boolean;
                                sentence: string;
                                figures: {
                                    [key: string]: string | number | boolean;
                                };
                            }[];
                            /** @description Data that has changed since or is no longer stored, in sentences */
                            notKnown: string[];
                        };
                    };
                };
            };
        };
    };
    live: {
        parameters: {
            query?: {
                /** @description Kinds to return, comma separated; default: all. */
                kinds?: ("events" | "positions")[];
                /** @description _id, userId or deviceId: only this user */
                userId?: string;
                /** @description only events of these types. Up to 100 items. */
                types?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /** @description csv: a table of the common fields (RFC 4180); ndjson: one API object per line, with every field; geojson: a FeatureCollection (RFC 7946) */
                format?: "csv" | "ndjson" | "geojson";
                /** @description true: a CSV file begins with a byte order mark, which Excel needs to show non-Latin scripts */
                bom?: boolean;
                /** @description rows of this response; by default 500000, of trips as GeoJSON 5000. 1 to 500000. */
                limit?: number;
                /** @description continues after a previous response: the value of its x-graticule-next. A continued response has no header row or opening of the collection, so you can append it to the file */
                after?: string;
                /** @description Only items updated before this time (ISO 8601); use the time of a page's last row to get the next page. */
                updatedBefore?: string;
                /** @description Only items updated after this time (ISO 8601). */
                updatedAfter?: string;
                /** @description part of a userId, deviceId or description; or an _id */
                search?: string;
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
                /** @description the externalId of a segment, set by you or computed */
                segment?: string;
                /** @description only users with one of these tags. Up to 100 items. */
                userTags?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                    "application/geo+json": string;
                };
            };
        };
    };
    exportUser: {
        parameters: {
            query?: {
                /** @description Response format. */
                format?: "zip" | "gpx";
                /** @description only updates and events from this time on */
                from?: string;
                /** @description only updates and events until this time */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The user's `_id`, `userId` or `deviceId`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/gpx+xml": string;
                };
            };
        };
    };
    exportEvents: {
        parameters: {
            query?: {
                /** @description csv: a table of the common fields (RFC 4180); ndjson: one API object per line, with every field; geojson: a FeatureCollection (RFC 7946) */
                format?: "csv" | "ndjson" | "geojson";
                /** @description true: a CSV file begins with a byte order mark, which Excel needs to show non-Latin scripts */
                bom?: boolean;
                /** @description rows of this response; by default 500000, of trips as GeoJSON 5000. 1 to 500000. */
                limit?: number;
                /** @description continues after a previous response: the value of its x-graticule-next. A continued response has no header row or opening of the collection, so you can append it to the file */
                after?: string;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description only these types, comma separated; names of conversions are allowed. Up to 100 items. */
                types?: string[];
                /** @description only events of this user: an _id, userId or deviceId */
                userId?: string;
                /** @description Minimum confidence of events: 1 low, 2 medium, 3 high. */
                confidence?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                    "application/geo+json": string;
                };
            };
        };
    };
    exportGeofences: {
        parameters: {
            query?: {
                /** @description csv: a table of the common fields (RFC 4180); ndjson: one API object per line, with every field; geojson: a FeatureCollection (RFC 7946) */
                format?: "csv" | "ndjson" | "geojson";
                /** @description true: a CSV file begins with a byte order mark, which Excel needs to show non-Latin scripts */
                bom?: boolean;
                /** @description rows of this response; by default 500000, of trips as GeoJSON 5000. 1 to 500000. */
                limit?: number;
                /** @description continues after a previous response: the value of its x-graticule-next. A continued response has no header row or opening of the collection, so you can append it to the file */
                after?: string;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description Only items updated before this time (ISO 8601); use the time of a page's last row to get the next page. */
                updatedBefore?: string;
                /** @description Only items updated after this time (ISO 8601). */
                updatedAfter?: string;
                /** @description Group that it belongs to; you choose the name. */
                tag?: string;
                /** @description Your own id; unique together with the tag. */
                externalId?: string;
                /** @description part of a description, tag or externalId; or an _id */
                search?: string;
                /** @description metadata[key]=value; the value's type is inferred */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                    "application/geo+json": string;
                };
            };
        };
    };
    exportTrips: {
        parameters: {
            query?: {
                /** @description csv: a table of the common fields (RFC 4180); ndjson: one API object per line, with every field; geojson: a FeatureCollection (RFC 7946) */
                format?: "csv" | "ndjson" | "geojson";
                /** @description true: a CSV file begins with a byte order mark, which Excel needs to show non-Latin scripts */
                bom?: boolean;
                /** @description rows of this response; by default 500000, of trips as GeoJSON 5000. 1 to 500000. */
                limit?: number;
                /** @description continues after a previous response: the value of its x-graticule-next. A continued response has no header row or opening of the collection, so you can append it to the file */
                after?: string;
                /** @description Only trips of these statuses, comma separated. */
                status?: ("pending" | "started" | "approaching" | "arrived" | "completed" | "canceled" | "expired")[];
                /** @description Only trips with one of these externalIds, comma separated. Up to 100 items. */
                externalId?: string[];
                /** @description Your own id for the user; don't use a person's name, address or phone number. */
                userId?: string;
                /** @description Tag of the geofence where the trip ends. */
                destinationGeofenceTag?: string;
                /** @description externalId of the geofence where the trip ends. */
                destinationGeofenceExternalId?: string;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
                /** @description true: only trips later than scheduledArrivalAt; false: only others */
                delayed?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                    "application/geo+json": string;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        delivered: boolean;
                        delivery: {
                            /** @description Value of the header webhook-id */
                            messageId: string;
                            eventTypes: string[];
                            /** @description 1 = the first */
                            attempt: number;
                            /** Format: date-time */
                            createdAt: string;
                            durationMs: number;
                            /** @enum {string} */
                            outcome: "delivered" | "retrying" | "dead" | "test";
                            /** @description HTTP status of the receiver; absent: no response */
                            status?: number;
                            error?: string;
                            /** @description Beginning of the receiver's response to a failed attempt */
                            response?: string;
                        };
                    };
                };
            };
        };
    };
    webhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of results. 1 to 500. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description messages not acknowledged yet */
                        waiting: number;
                        deliveries: {
                            /** @description Value of the header webhook-id */
                            messageId: string;
                            eventTypes: string[];
                            /** @description 1 = the first */
                            attempt: number;
                            /** Format: date-time */
                            createdAt: string;
                            durationMs: number;
                            /** @enum {string} */
                            outcome: "delivered" | "retrying" | "dead" | "test";
                            /** @description HTTP status of the receiver; absent: no response */
                            status?: number;
                            error?: string;
                            /** @description Beginning of the receiver's response to a failed attempt */
                            response?: string;
                        }[];
                    };
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more. 1 to 1000. */
                limit?: number;
                /** @description Only items created before this time (ISO 8601); use the time of a page's last row to get the next page. */
                createdBefore?: string;
                /** @description Only items created after this time (ISO 8601). */
                createdAfter?: string;
            };
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        deadLetters: {
                            /** @description Id of the message: the header webhook-id */
                            _id: string;
                            events: {
                                _id: string;
                                type: string;
                            }[];
                            attempts: number;
                            reason: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            diedAt: string;
                        }[];
                    };
                };
            };
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayDeadLettersBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        replayed: number;
                    };
                };
            };
        };
    };
    replayDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `_id` of the webhook. */
                id: string;
                /** @description Id of the message: `webhook-id`, or from the list of dead letters. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        replayed: number;
                    };
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description default: 1 day (hour) or 7 days (day) before `to` */
                from?: string;
                /** @description default: now */
                to?: string;
                /** @description at most 31 days by hour, 400 by day */
                step?: "hour" | "day";
                /** @description Kinds to return, comma separated; default: all. */
                kinds?: ("calls" | "errors" | "failures" | "tracks" | "users" | "events")[];
                /** @description IANA name; sets where days begin. Default: the project's (setting `timeZone`), else UTC. If midnight is not on a full UTC hour, that hour belongs to the previous day */
                timeZone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        stats: {
                            /**
                             * Format: date-time
                             * @description when the first step begins
                             */
                            from: string;
                            /** Format: date-time */
                            to: string;
                            /** @enum {string} */
                            step: "hour" | "day";
                            timeZone: string;
                            /** @description when each step begins */
                            times: string[];
                            series: {
                                /** @enum {string} */
                                kind: "calls" | "errors" | "failures" | "tracks" | "users" | "events";
                                /** @description the endpoint, or the type of the events; empty if neither applies */
                                name: string;
                                /** @description one for each of `times` */
                                values: number[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    getEtaStats: {
        parameters: {
            query?: {
                /** @description include the busiest learned roads, with their speed as a share of the map's, and roads without traffic for a week */
                roads?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        eta: {
                            enabled: boolean;
                            months: {
                                month: string;
                                mode: string;
                                trips: number;
                                /** @description too few trips for conclusions */
                                tooFew: boolean;
                                profile: {
                                    /** @description median absolute error, percent of the duration */
                                    medianPercent: number;
                                    /** @description median absolute error, minutes */
                                    medianMinutes: number;
                                    /** @description mean error, percent; positive: predicted too long */
                                    biasPercent: number;
                                    /** @description percent of the trips */
                                    within2Minutes: number;
                                    /** @description percent of the trips */
                                    within10Percent: number;
                                    /** @description by local hour of the start, 24 values; null: no trips */
                                    biasByHour: (number | null)[];
                                };
                                learned: {
                                    /** @description median absolute error, percent of the duration */
                                    medianPercent: number;
                                    /** @description median absolute error, minutes */
                                    medianMinutes: number;
                                    /** @description mean error, percent; positive: predicted too long */
                                    biasPercent: number;
                                    /** @description percent of the trips */
                                    within2Minutes: number;
                                    /** @description percent of the trips */
                                    within10Percent: number;
                                    /** @description by local hour of the start, 24 values; null: no trips */
                                    biasByHour: (number | null)[];
                                };
                            }[];
                            /** @description modes whose median error is clearly larger than in the month before */
                            growing: {
                                mode: string;
                                beforePercent: number;
                                nowPercent: number;
                            }[];
                            builds: {
                                name: string;
                                /** Format: date-time */
                                learnedAt: string;
                                /** @description directed road segments with a learned speed */
                                segments: number;
                                /** @description older ones count less */
                                traversals: number;
                                weeks: number;
                                minimumDevices: number;
                                /** @description windows of the week with their own speeds */
                                windows: number;
                                /** @description segments without traffic last week, with much before: perhaps closed */
                                quietRoads: number;
                                /** @description mean time standing before traffic lights; absent: too little data */
                                signalSeconds?: number;
                                /** @description the same before other junctions */
                                junctionSeconds?: number;
                                /** @description mean speed as a share of the map's, by class of road */
                                classes: {
                                    [key: string]: number;
                                };
                            }[];
                            /** @description `ratio`: learned speed / the map's speed */
                            roads?: {
                                /** @constant */
                                type: "FeatureCollection";
                                features: {
                                    /** @constant */
                                    type: "Feature";
                                    properties: {
                                        ratio?: number;
                                        /** @constant */
                                        quiet?: true;
                                    };
                                    geometry: {
                                        /** @constant */
                                        type: "LineString";
                                        coordinates: [
                                            number,
                                            number
                                        ][];
                                    };
                                }[];
                            };
                        };
                    };
                };
            };
        };
    };
    listLiveGeodata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        builds: {
                            id: string;
                            importedAt?: string;
                            bytes?: number;
                            name: string;
                            liveSince?: string;
                            /** @description timestamp of its data; the oldest if there are several extracts */
                            dataDate?: string;
                            layers: string[];
                            /** @description area with data */
                            areas: [
                                number,
                                number,
                                number,
                                number
                            ][];
                            /** @description of layers stored elsewhere */
                            layerAreas?: {
                                [key: string]: [
                                    number,
                                    number,
                                    number,
                                    number
                                ][];
                            };
                            sources: {
                                name: string;
                                url: string;
                                licence: string;
                                licenceUrl?: string;
                                /** @description attribution to show, if the license requires it */
                                attribution?: string;
                                /** @description subject of the data */
                                date?: string;
                                edition?: string;
                            }[];
                            /** @description source files; `timestamp` is the time of their data */
                            inputs: {
                                name: string;
                                bytes: number;
                                timestamp?: string;
                            }[];
                            /** @description previously live builds of this name, latest first */
                            previous: {
                                id: string;
                                importedAt?: string;
                                bytes?: number;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description none: every origin may call */
                        allowedOrigins: string[];
                        /** @description none: every origin may load maps */
                        allowedReferrers: string[];
                        retention: {
                            /** @description days */
                            users: number;
                            /** @description days */
                            events: number;
                            /** @description days */
                            trips: number;
                            /** @description days */
                            locations: number;
                            /** @description days */
                            updates: number;
                        };
                        timeZone: string;
                        blockedCountries: string[];
                        verified: {
                            borderBuffer: number;
                            exclusionTags: string[];
                        };
                        /** @description calls per second of endpoints that differ from the limits in this document, and `computing`, milliseconds per second of publishable keys and sessions; the operator sets them */
                        rateLimits: {
                            [key: string]: number;
                        };
                        chainMappings: {
                            [key: string]: string;
                        };
                        chainMetadata: {
                            [key: string]: {
                                [key: string]: string | number | boolean;
                            };
                        };
                        placeFilters: {
                            chain: string[];
                            category: string[];
                        };
                        nearbyChains: string[];
                        geocoding: {
                            /** @description layers that forward geocoding searches without `layers`; default: address, postalCode, locality, county, state, country */
                            forwardLayers: ("place" | "address" | "postalCode" | "locality" | "county" | "state" | "country")[];
                        };
                        tracking: {
                            bufferedEntries: boolean;
                            stopDetection: boolean;
                            /** @description minutes; 0 = off */
                            dwellThreshold: number;
                            /** @description meters */
                            accuracyLimit: number;
                            /** @description positions at exactly 0, 0, and accuracies of 0 from other apps, are stored; otherwise they are ignored, because apps send them without a position */
                            acceptZeros: boolean;
                            /** @description seconds; a geofence is exited by the first update outside that is at least this much later than the first outside; one inside before that cancels the exit. 0 = by the first */
                            exitDelay: number;
                            regions: {
                                country: boolean;
                                state: boolean;
                                dma: boolean;
                                postalCode: boolean;
                            };
                            places: boolean;
                            beacons: boolean;
                            /** @description learn stays, home and work of users */
                            insights: boolean;
                            fraud: boolean;
                            /** @description meters: a fix with a larger accuracy value fails the check `inaccurate` */
                            fraudAccuracy: number;
                        };
                        /** @description if any are set, devices range only these beacons, wherever they are */
                        beacons: {
                            uuids: string[];
                            uids: string[];
                        };
                        tokens: {
                            required: boolean;
                            keys: {
                                [key: string]: {
                                    /** @enum {string} */
                                    alg: "RS256" | "ES256" | "EdDSA" | "HS256";
                                    createdAt: string;
                                };
                            };
                        };
                        sdk: {
                            logLevel: string;
                            startTrackingOnInitialize: boolean;
                            trackOnceOnAppOpen: boolean;
                            usePersistence?: boolean;
                            extendFlushReplays?: boolean;
                            useLogPersistence?: boolean;
                            useRadarModifiedBeacon?: boolean;
                            useOpenedAppConversion?: boolean;
                            useForegroundLocationUpdatedAtMsDiff?: boolean;
                            syncAfterSetUser?: boolean;
                            useSyncRegion?: boolean;
                            bufferGeofenceEntries?: boolean;
                            bufferGeofenceExits?: boolean;
                            stopDetection?: boolean;
                            skipForegroundCheck?: boolean;
                            useOfflineRTOUpdates?: boolean;
                            offlineEventGenerationEnabled?: boolean;
                            useSwiftLocationManager?: boolean;
                            startUpdatesWhileInUse?: boolean;
                            useNotificationDiff?: boolean;
                            useLocationMetadata?: boolean;
                            /** @description minutes */
                            defaultGeofenceDwellThreshold?: number;
                            remoteTrackingOptions?: {
                                /** @enum {string} */
                                type: "default" | "inGeofence" | "onTrip";
                                trackingOptions: {
                                    desiredStoppedUpdateInterval?: number;
                                    fastestStoppedUpdateInterval?: number;
                                    desiredMovingUpdateInterval?: number;
                                    fastestMovingUpdateInterval?: number;
                                    desiredSyncInterval?: number;
                                    stopDuration?: number;
                                    stopDistance?: number;
                                    stoppedGeofenceRadius?: number;
                                    movingGeofenceRadius?: number;
                                    syncGeofencesLimit?: number;
                                    rampUpRadius?: number;
                                    batchInterval?: number;
                                    batchSize?: number;
                                    showBlueBar?: boolean;
                                    useStoppedGeofence?: boolean;
                                    useMovingGeofence?: boolean;
                                    syncGeofences?: boolean;
                                    useVisits?: boolean;
                                    useSignificantLocationChanges?: boolean;
                                    beacons?: boolean;
                                    foregroundServiceEnabled?: boolean;
                                    useIndoorScan?: boolean;
                                    useMotion?: boolean;
                                    usePressure?: boolean;
                                    desiredAccuracy?: string;
                                    sync?: string;
                                    replay?: string;
                                    startTrackingAfter?: string;
                                    stopTrackingAfter?: string;
                                    /** @description default, in-geofence or on-trip */
                                    type?: string;
                                    /** @enum {string} */
                                    preset?: "responsive" | "efficient" | "continuous";
                                };
                                geofenceTags?: string[];
                            }[];
                        };
                        /** @description learning of road speeds from the live devices of the project (default: disabled). Inform the people who carry them first */
                        learning: {
                            enabled: boolean;
                            /** @description correct arrival times by what was learned from earlier trips */
                            eta: boolean;
                            /** @description a road has a learned speed only if so many devices used it */
                            minimumDevices: number;
                        };
                        /** @description event types in the track response; absent: all. Other events are still generated, stored and delivered */
                        returnedEventTypes?: string[];
                    };
                };
            };
        };
    };
    patchSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSettingsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description none: every origin may call */
                        allowedOrigins: string[];
                        /** @description none: every origin may load maps */
                        allowedReferrers: string[];
                        retention: {
                            /** @description days */
                            users: number;
                            /** @description days */
                            events: number;
                            /** @description days */
                            trips: number;
                            /** @description days */
                            locations: number;
                            /** @description days */
                            updates: number;
                        };
                        timeZone: string;
                        blockedCountries: string[];
                        verified: {
                            borderBuffer: number;
                            exclusionTags: string[];
                        };
                        /** @description calls per second of endpoints that differ from the limits in this document, and `computing`, milliseconds per second of publishable keys and sessions; the operator sets them */
                        rateLimits: {
                            [key: string]: number;
                        };
                        chainMappings: {
                            [key: string]: string;
                        };
                        chainMetadata: {
                            [key: string]: {
                                [key: string]: string | number | boolean;
                            };
                        };
                        placeFilters: {
                            chain: string[];
                            category: string[];
                        };
                        nearbyChains: string[];
                        geocoding: {
                            /** @description layers that forward geocoding searches without `layers`; default: address, postalCode, locality, county, state, country */
                            forwardLayers: ("place" | "address" | "postalCode" | "locality" | "county" | "state" | "country")[];
                        };
                        tracking: {
                            bufferedEntries: boolean;
                            stopDetection: boolean;
                            /** @description minutes; 0 = off */
                            dwellThreshold: number;
                            /** @description meters */
                            accuracyLimit: number;
                            /** @description positions at exactly 0, 0, and accuracies of 0 from other apps, are stored; otherwise they are ignored, because apps send them without a position */
                            acceptZeros: boolean;
                            /** @description seconds; a geofence is exited by the first update outside that is at least this much later than the first outside; one inside before that cancels the exit. 0 = by the first */
                            exitDelay: number;
                            regions: {
                                country: boolean;
                                state: boolean;
                                dma: boolean;
                                postalCode: boolean;
                            };
                            places: boolean;
                            beacons: boolean;
                            /** @description learn stays, home and work of users */
                            insights: boolean;
                            fraud: boolean;
                            /** @description meters: a fix with a larger accuracy value fails the check `inaccurate` */
                            fraudAccuracy: number;
                        };
                        /** @description if any are set, devices range only these beacons, wherever they are */
                        beacons: {
                            uuids: string[];
                            uids: string[];
                        };
                        tokens: {
                            required: boolean;
                            keys: {
                                [key: string]: {
                                    /** @enum {string} */
                                    alg: "RS256" | "ES256" | "EdDSA" | "HS256";
                                    createdAt: string;
                                };
                            };
                        };
                        sdk: {
                            logLevel: string;
                            startTrackingOnInitialize: boolean;
                            trackOnceOnAppOpen: boolean;
                            usePersistence?: boolean;
                            extendFlushReplays?: boolean;
                            useLogPersistence?: boolean;
                            useRadarModifiedBeacon?: boolean;
                            useOpenedAppConversion?: boolean;
                            useForegroundLocationUpdatedAtMsDiff?: boolean;
                            syncAfterSetUser?: boolean;
                            useSyncRegion?: boolean;
                            bufferGeofenceEntries?: boolean;
                            bufferGeofenceExits?: boolean;
                            stopDetection?: boolean;
                            skipForegroundCheck?: boolean;
                            useOfflineRTOUpdates?: boolean;
                            offlineEventGenerationEnabled?: boolean;
                            useSwiftLocationManager?: boolean;
                            startUpdatesWhileInUse?: boolean;
                            useNotificationDiff?: boolean;
                            useLocationMetadata?: boolean;
                            /** @description minutes */
                            defaultGeofenceDwellThreshold?: number;
                            remoteTrackingOptions?: {
                                /** @enum {string} */
                                type: "default" | "inGeofence" | "onTrip";
                                trackingOptions: {
                                    desiredStoppedUpdateInterval?: number;
                                    fastestStoppedUpdateInterval?: number;
                                    desiredMovingUpdateInterval?: number;
                                    fastestMovingUpdateInterval?: number;
                                    desiredSyncInterval?: number;
                                    stopDuration?: number;
                                    stopDistance?: number;
                                    stoppedGeofenceRadius?: number;
                                    movingGeofenceRadius?: number;
                                    syncGeofencesLimit?: number;
                                    rampUpRadius?: number;
                                    batchInterval?: number;
                                    batchSize?: number;
                                    showBlueBar?: boolean;
                                    useStoppedGeofence?: boolean;
                                    useMovingGeofence?: boolean;
                                    syncGeofences?: boolean;
                                    useVisits?: boolean;
                                    useSignificantLocationChanges?: boolean;
                                    beacons?: boolean;
                                    foregroundServiceEnabled?: boolean;
                                    useIndoorScan?: boolean;
                                    useMotion?: boolean;
                                    usePressure?: boolean;
                                    desiredAccuracy?: string;
                                    sync?: string;
                                    replay?: string;
                                    startTrackingAfter?: string;
                                    stopTrackingAfter?: string;
                                    /** @description default, in-geofence or on-trip */
                                    type?: string;
                                    /** @enum {string} */
                                    preset?: "responsive" | "efficient" | "continuous";
                                };
                                geofenceTags?: string[];
                            }[];
                        };
                        /** @description learning of road speeds from the live devices of the project (default: disabled). Inform the people who carry them first */
                        learning: {
                            enabled: boolean;
                            /** @description correct arrival times by what was learned from earlier trips */
                            eta: boolean;
                            /** @description a road has a learned speed only if so many devices used it */
                            minimumDevices: number;
                        };
                        /** @description event types in the track response; absent: all. Other events are still generated, stored and delivered */
                        returnedEventTypes?: string[];
                    };
                };
            };
        };
    };
    config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                            featureSettings?: {
                                [key: string]: unknown;
                            };
                            sdkConfiguration?: {
                                logLevel: string;
                                startTrackingOnInitialize: boolean;
                                trackOnceOnAppOpen: boolean;
                                usePersistence?: boolean;
                                extendFlushReplays?: boolean;
                                useLogPersistence?: boolean;
                                useRadarModifiedBeacon?: boolean;
                                useOpenedAppConversion?: boolean;
                                useForegroundLocationUpdatedAtMsDiff?: boolean;
                                syncAfterSetUser?: boolean;
                                useSyncRegion?: boolean;
                                bufferGeofenceEntries?: boolean;
                                bufferGeofenceExits?: boolean;
                                stopDetection?: boolean;
                                skipForegroundCheck?: boolean;
                                useOfflineRTOUpdates?: boolean;
                                offlineEventGenerationEnabled?: boolean;
                                useSwiftLocationManager?: boolean;
                                startUpdatesWhileInUse?: boolean;
                                useNotificationDiff?: boolean;
                                useLocationMetadata?: boolean;
                                /** @description minutes */
                                defaultGeofenceDwellThreshold?: number;
                                remoteTrackingOptions?: {
                                    /** @enum {string} */
                                    type: "default" | "inGeofence" | "onTrip";
                                    /** @description RadarTrackingOptions */
                                    trackingOptions: {
                                        desiredStoppedUpdateInterval?: number;
                                        fastestStoppedUpdateInterval?: number;
                                        desiredMovingUpdateInterval?: number;
                                        fastestMovingUpdateInterval?: number;
                                        desiredSyncInterval?: number;
                                        stopDuration?: number;
                                        stopDistance?: number;
                                        stoppedGeofenceRadius?: number;
                                        movingGeofenceRadius?: number;
                                        syncGeofencesLimit?: number;
                                        rampUpRadius?: number;
                                        batchInterval?: number;
                                        batchSize?: number;
                                        showBlueBar?: boolean;
                                        useStoppedGeofence?: boolean;
                                        useMovingGeofence?: boolean;
                                        syncGeofences?: boolean;
                                        useVisits?: boolean;
                                        useSignificantLocationChanges?: boolean;
                                        beacons?: boolean;
                                        foregroundServiceEnabled?: boolean;
                                        useIndoorScan?: boolean;
                                        useMotion?: boolean;
                                        usePressure?: boolean;
                                        desiredAccuracy?: string;
                                        sync?: string;
                                        replay?: string;
                                        startTrackingAfter?: string;
                                        stopTrackingAfter?: string;
                                        /** @description default, in-geofence or on-trip */
                                        type?: string;
                                    };
                                    geofenceTags?: string[];
                                }[];
                            };
                        };
                        featureSettings: {
                            [key: string]: unknown;
                        };
                        sdkConfiguration: {
                            logLevel: string;
                            startTrackingOnInitialize: boolean;
                            trackOnceOnAppOpen: boolean;
                            usePersistence?: boolean;
                            extendFlushReplays?: boolean;
                            useLogPersistence?: boolean;
                            useRadarModifiedBeacon?: boolean;
                            useOpenedAppConversion?: boolean;
                            useForegroundLocationUpdatedAtMsDiff?: boolean;
                            syncAfterSetUser?: boolean;
                            useSyncRegion?: boolean;
                            bufferGeofenceEntries?: boolean;
                            bufferGeofenceExits?: boolean;
                            stopDetection?: boolean;
                            skipForegroundCheck?: boolean;
                            useOfflineRTOUpdates?: boolean;
                            offlineEventGenerationEnabled?: boolean;
                            useSwiftLocationManager?: boolean;
                            startUpdatesWhileInUse?: boolean;
                            useNotificationDiff?: boolean;
                            useLocationMetadata?: boolean;
                            /** @description minutes */
                            defaultGeofenceDwellThreshold?: number;
                            remoteTrackingOptions?: {
                                /** @enum {string} */
                                type: "default" | "inGeofence" | "onTrip";
                                /** @description RadarTrackingOptions */
                                trackingOptions: {
                                    desiredStoppedUpdateInterval?: number;
                                    fastestStoppedUpdateInterval?: number;
                                    desiredMovingUpdateInterval?: number;
                                    fastestMovingUpdateInterval?: number;
                                    desiredSyncInterval?: number;
                                    stopDuration?: number;
                                    stopDistance?: number;
                                    stoppedGeofenceRadius?: number;
                                    movingGeofenceRadius?: number;
                                    syncGeofencesLimit?: number;
                                    rampUpRadius?: number;
                                    batchInterval?: number;
                                    batchSize?: number;
                                    showBlueBar?: boolean;
                                    useStoppedGeofence?: boolean;
                                    useMovingGeofence?: boolean;
                                    syncGeofences?: boolean;
                                    useVisits?: boolean;
                                    useSignificantLocationChanges?: boolean;
                                    beacons?: boolean;
                                    foregroundServiceEnabled?: boolean;
                                    useIndoorScan?: boolean;
                                    useMotion?: boolean;
                                    usePressure?: boolean;
                                    desiredAccuracy?: string;
                                    sync?: string;
                                    replay?: string;
                                    startTrackingAfter?: string;
                                    stopTrackingAfter?: string;
                                    /** @description default, in-geofence or on-trip */
                                    type?: string;
                                };
                                geofenceTags?: string[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    postConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostConfigBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                            featureSettings?: {
                                [key: string]: unknown;
                            };
                            sdkConfiguration?: {
                                logLevel: string;
                                startTrackingOnInitialize: boolean;
                                trackOnceOnAppOpen: boolean;
                                usePersistence?: boolean;
                                extendFlushReplays?: boolean;
                                useLogPersistence?: boolean;
                                useRadarModifiedBeacon?: boolean;
                                useOpenedAppConversion?: boolean;
                                useForegroundLocationUpdatedAtMsDiff?: boolean;
                                syncAfterSetUser?: boolean;
                                useSyncRegion?: boolean;
                                bufferGeofenceEntries?: boolean;
                                bufferGeofenceExits?: boolean;
                                stopDetection?: boolean;
                                skipForegroundCheck?: boolean;
                                useOfflineRTOUpdates?: boolean;
                                offlineEventGenerationEnabled?: boolean;
                                useSwiftLocationManager?: boolean;
                                startUpdatesWhileInUse?: boolean;
                                useNotificationDiff?: boolean;
                                useLocationMetadata?: boolean;
                                /** @description minutes */
                                defaultGeofenceDwellThreshold?: number;
                                remoteTrackingOptions?: {
                                    /** @enum {string} */
                                    type: "default" | "inGeofence" | "onTrip";
                                    /** @description RadarTrackingOptions */
                                    trackingOptions: {
                                        desiredStoppedUpdateInterval?: number;
                                        fastestStoppedUpdateInterval?: number;
                                        desiredMovingUpdateInterval?: number;
                                        fastestMovingUpdateInterval?: number;
                                        desiredSyncInterval?: number;
                                        stopDuration?: number;
                                        stopDistance?: number;
                                        stoppedGeofenceRadius?: number;
                                        movingGeofenceRadius?: number;
                                        syncGeofencesLimit?: number;
                                        rampUpRadius?: number;
                                        batchInterval?: number;
                                        batchSize?: number;
                                        showBlueBar?: boolean;
                                        useStoppedGeofence?: boolean;
                                        useMovingGeofence?: boolean;
                                        syncGeofences?: boolean;
                                        useVisits?: boolean;
                                        useSignificantLocationChanges?: boolean;
                                        beacons?: boolean;
                                        foregroundServiceEnabled?: boolean;
                                        useIndoorScan?: boolean;
                                        useMotion?: boolean;
                                        usePressure?: boolean;
                                        desiredAccuracy?: string;
                                        sync?: string;
                                        replay?: string;
                                        startTrackingAfter?: string;
                                        stopTrackingAfter?: string;
                                        /** @description default, in-geofence or on-trip */
                                        type?: string;
                                    };
                                    geofenceTags?: string[];
                                }[];
                            };
                        };
                        featureSettings: {
                            [key: string]: unknown;
                        };
                        sdkConfiguration: {
                            logLevel: string;
                            startTrackingOnInitialize: boolean;
                            trackOnceOnAppOpen: boolean;
                            usePersistence?: boolean;
                            extendFlushReplays?: boolean;
                            useLogPersistence?: boolean;
                            useRadarModifiedBeacon?: boolean;
                            useOpenedAppConversion?: boolean;
                            useForegroundLocationUpdatedAtMsDiff?: boolean;
                            syncAfterSetUser?: boolean;
                            useSyncRegion?: boolean;
                            bufferGeofenceEntries?: boolean;
                            bufferGeofenceExits?: boolean;
                            stopDetection?: boolean;
                            skipForegroundCheck?: boolean;
                            useOfflineRTOUpdates?: boolean;
                            offlineEventGenerationEnabled?: boolean;
                            useSwiftLocationManager?: boolean;
                            startUpdatesWhileInUse?: boolean;
                            useNotificationDiff?: boolean;
                            useLocationMetadata?: boolean;
                            /** @description minutes */
                            defaultGeofenceDwellThreshold?: number;
                            remoteTrackingOptions?: {
                                /** @enum {string} */
                                type: "default" | "inGeofence" | "onTrip";
                                /** @description RadarTrackingOptions */
                                trackingOptions: {
                                    desiredStoppedUpdateInterval?: number;
                                    fastestStoppedUpdateInterval?: number;
                                    desiredMovingUpdateInterval?: number;
                                    fastestMovingUpdateInterval?: number;
                                    desiredSyncInterval?: number;
                                    stopDuration?: number;
                                    stopDistance?: number;
                                    stoppedGeofenceRadius?: number;
                                    movingGeofenceRadius?: number;
                                    syncGeofencesLimit?: number;
                                    rampUpRadius?: number;
                                    batchInterval?: number;
                                    batchSize?: number;
                                    showBlueBar?: boolean;
                                    useStoppedGeofence?: boolean;
                                    useMovingGeofence?: boolean;
                                    syncGeofences?: boolean;
                                    useVisits?: boolean;
                                    useSignificantLocationChanges?: boolean;
                                    beacons?: boolean;
                                    foregroundServiceEnabled?: boolean;
                                    useIndoorScan?: boolean;
                                    useMotion?: boolean;
                                    usePressure?: boolean;
                                    desiredAccuracy?: string;
                                    sync?: string;
                                    replay?: string;
                                    startTrackingAfter?: string;
                                    stopTrackingAfter?: string;
                                    /** @description default, in-geofence or on-trip */
                                    type?: string;
                                };
                                geofenceTags?: string[];
                            }[];
                        };
                        newGeofences: unknown[];
                        removeGeofences: unknown[];
                        inGeofenceTrackingTags: unknown[];
                    };
                };
            };
        };
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        ip?: string;
                    };
                };
            };
        };
    };
    logs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        version: string;
                        /** @description by the clock of the deployment */
                        time: string;
                        bindings: {
                            [key: string]: boolean;
                        };
                        schema: {
                            expected: string;
                            found?: string;
                        };
                        /** @description whether Durable Objects respond */
                        objects: boolean;
                        /** @description absent: the bucket does not respond, or its list is damaged */
                        geodata?: {
                            builds: {
                                name: string;
                                id: string;
                                /** @description layer → version of its format */
                                layers: {
                                    [key: string]: number;
                                };
                                /** @description [longitude, latitude] */
                                center?: [
                                    number,
                                    number
                                ];
                            }[];
                        };
                        disk?: {
                            freeBytes: number;
                            sizeBytes: number;
                        };
                        /** @description of events, as of the last scheduled run; absent: no run yet */
                        archive?: {
                            lastRoundAt: string;
                            /** @description consecutive scheduled runs with a failure */
                            failing: number;
                            events?: number;
                            bytes?: number;
                            /** @description time of the oldest event that should have been archived */
                            waitingSince?: string;
                        };
                    };
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
        };
    };
    recovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery: {
                            /** @description false where the platform has no point-in-time recovery */
                            supported: boolean;
                            /** @description bindings of all databases */
                            databases: string[];
                            objects: {
                                /** @description class, scope and name */
                                object: string;
                                bookmark?: string;
                                /** @description bookmark of the state before the restore */
                                undo?: string;
                                error?: string;
                            }[];
                            /** @description absent on the last page */
                            next?: string;
                        };
                    };
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    passkeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        /** @description for `navigator.credentials`, as JSON (WebAuthn Level 3) */
                        options: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    passkeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignInBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    protectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_name: string;
                        resource_documentation: string;
                    };
                };
            };
        };
    };
    authorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        authorization_endpoint: string;
                        token_endpoint: string;
                        revocation_endpoint: string;
                        response_types_supported: string[];
                        response_modes_supported: string[];
                        grant_types_supported: string[];
                        code_challenge_methods_supported: string[];
                        token_endpoint_auth_methods_supported: string[];
                        revocation_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        authorization_response_iss_parameter_supported: boolean;
                        client_id_metadata_document_supported: boolean;
                        service_documentation: string;
                    };
                };
            };
        };
    };
    oauthToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OauthTokenBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                        access_token: string;
                        /** @constant */
                        token_type: "Bearer";
                        /** @description seconds */
                        expires_in: number;
                        refresh_token: string;
                        scope: string;
                    };
                };
            };
        };
    };
    oauthRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OauthRevokeBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            /** @constant */
                            code: 200;
                            hasMore?: boolean;
                        };
                    };
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}
