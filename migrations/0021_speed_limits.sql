-- The speed limit inside a geofence, instead of that of the road [km/h].
ALTER TABLE geofence ADD COLUMN speed_limit REAL;
