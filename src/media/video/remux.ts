import { yieldToEventLoop } from '../../engine/awaitable.js'
import {
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
} from './mp4.js'

interface Parts {
  /** An MP4 with a video track. All its packets have the same duration. */
  readonly picture: Uint8Array<ArrayBuffer>
  /** An MP4 with a sound track. */
  readonly track: Uint8Array<ArrayBuffer> | undefined
  readonly seconds: number
}

/** Repeats clips up to a duration, and writes them into one MP4 with its index at the start. */
export async function remux({ picture, track, seconds }: Parts): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const writers = [await videoWriter(output, picture, seconds)]
  if (track !== undefined) writers.push(await audioWriter(output, track, seconds))
  await output.start()
  for (const write of writers) await write()
  await output.finalize()
  if (target.buffer === null) throw new Error('Failed to write the video.')
  return new Uint8Array(target.buffer)
}

type Write = () => Promise<void>

async function videoWriter(output: Output, bytes: Uint8Array<ArrayBuffer>, seconds: number): Promise<Write> {
  const clip = await inputOf(bytes).getPrimaryVideoTrack()
  if (clip === null) throw new Error('Failed to read the clip: it has no video track.')
  const source = new EncodedVideoPacketSource((await clip.getCodec()) ?? 'avc')
  const meta = metaOf(await clip.getDecoderConfig())
  output.addVideoTrack(source)
  return writer(await packetsOf(clip), seconds, { add: (packet) => source.add(packet, meta), source })
}

async function audioWriter(output: Output, bytes: Uint8Array<ArrayBuffer>, seconds: number): Promise<Write> {
  const clip = await inputOf(bytes).getPrimaryAudioTrack()
  if (clip === null) throw new Error('Failed to read the clip: it has no audio track.')
  const source = new EncodedAudioPacketSource((await clip.getCodec()) ?? 'aac')
  const meta = metaOf(await clip.getDecoderConfig())
  output.addAudioTrack(source)
  return writer(await packetsOf(clip), seconds, { add: (packet) => source.add(packet, meta), source })
}

function metaOf<Config>(decoderConfig: Config | null): { decoderConfig: Config } | undefined {
  return decoderConfig === null ? undefined : { decoderConfig }
}

interface Sink {
  add(packet: EncodedPacket): Promise<void>
  readonly source: { close(): void }
}

/** The number of packets to write before yielding to the event loop; they take a few milliseconds. */
const PACKETS_PER_TURN = 250

function writer(packets: readonly EncodedPacket[], seconds: number, { add, source }: Sink): Write {
  return async () => {
    let added = 0
    for (const packet of repeatPackets(packets, seconds)) {
      await add(packet)
      added += 1
      if (added % PACKETS_PER_TURN === 0) await yieldToEventLoop()
    }
    source.close()
  }
}

function inputOf(bytes: Uint8Array<ArrayBuffer>): Input {
  return new Input({ source: new BufferSource(bytes), formats: [MP4] })
}

async function packetsOf(track: InputTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
  return packets
}

/**
 * Repeats the packets of a clip up to a duration, and shortens the last one to match. Timestamps are multiples of the
 * packet duration, because sums would drift.
 */
function* repeatPackets(packets: readonly EncodedPacket[], seconds: number): Generator<EncodedPacket> {
  const duration = packets[0]?.duration ?? 0
  const count = Math.ceil(seconds / duration - 1e-6)
  for (let index = 0; index < count; index++) {
    const timestamp = index * duration
    yield (packets[index % packets.length] as EncodedPacket).clone({
      timestamp,
      duration: Math.min(duration, seconds - timestamp),
      sequenceNumber: index,
    })
  }
}
