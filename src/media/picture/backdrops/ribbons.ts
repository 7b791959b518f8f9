import { path, spline } from '../paths.js'
import type { Point } from '../scene.js'
import { type Backdrop, type Canvas, randomBetween, sky } from './canvas.js'

const BANDS = 6

/** Wavy bands from side to side. */
export const ribbons: Backdrop = (canvas, palette) => {
  const { width, height } = canvas
  const bends = randomBetween(canvas, 0.8, 1.6)
  const phase = randomBetween(canvas, 0, 2 * Math.PI)
  const rise = randomBetween(canvas, -0.35, 0.35) * height
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const color = palette.accents[band % palette.accents.length] ?? palette.accents[0]
    const top = edge(canvas, {
      level: (0.08 + band * 0.13) * height,
      phase: phase + band * 0.35,
      bends,
      rise,
    })
    const low = edge(canvas, {
      level: (0.2 + band * 0.135) * height,
      phase: phase + band * 0.35 + 0.55,
      bends,
      rise,
    })
    return {
      path: path('M', spline(top), 'L', spline(low.reverse()), 'Z'),
      fill: {
        from: [0, 0] as const,
        to: [width, 0] as const,
        stops: [
          { at: 0, color, opacity: band % 2 === 0 ? 0.5 : 0.08 },
          { at: 1, color, opacity: band % 2 === 0 ? 0.08 : 0.5 },
        ],
      },
    }
  })
  return [sky(canvas, palette), ...bands]
}

interface Wave {
  readonly level: number
  readonly phase: number
  readonly bends: number
  readonly rise: number
}

const STEPS = 10

function edge({ width, height }: Canvas, { level, phase, bends, rise }: Wave): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const along = step / STEPS
    const swing = Math.sin(phase + along * bends * 2 * Math.PI) * 0.09 * height
    return [(along * 1.1 - 0.05) * width, level + swing + rise * (along - 0.5)]
  })
}
