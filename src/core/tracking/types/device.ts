/**
 * The data that a device reports about itself with an update. Its user has the latest values, an event those of its own
 * update.
 */
export interface DeviceReport {
  deviceType?: string;
  deviceOS?: string;
  deviceMake?: string;
  deviceModel?: string;
  sdkVersion?: string;
  foreground?: boolean;
  stopped?: boolean;
  locationAuthorization?: string;
  locationAccuracyAuthorization?: string;
}
