import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** What stands in the place of what could not be drawn. */
  fallback: ReactNode
  children: ReactNode
}

/** Draws its children, or the fallback where one of them throws: an error, or a script that cannot be fetched. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
