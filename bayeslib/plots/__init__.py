"""Pictures: numbers to matplotlib artists on axes that are given. No widgets, no pyplot."""
