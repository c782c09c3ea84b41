/** What a device tells of itself with an update; its user shows the last of it, an event what came with its own update. */
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
