/**
 * The parts of Mediabunny that read and write MP4. The build replaces this module with a bundle of them, because the
 * whole package takes 11 MB.
 */
export {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputTrack,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
