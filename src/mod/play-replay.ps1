# play-replay.ps1: plays a replay with two versions of a mod in turns, to compare them with supprof.
#
#     .\play-replay.ps1 -Replay game.scfareplay -Old old\MyMod -New new\MyMod -Place "$mods\MyMod" -Game C:\ProgramData\FAForever\bin\ForgedAlliance.exe
#
# The recorder must be installed. A game is ended when its log has the end of a recording.
# supprof-modding(7) says more.
param (
    [Parameter(Mandatory)][string]$Replay, # as the game plays it (.scfareplay)
    [Parameter(Mandatory)][string]$Old,    # the versions: a folder that is copied to -Place,
    [Parameter(Mandatory)][string]$New,    # or an init file (.lua) for /init
    [Parameter(Mandatory)][string]$Game,   # the game's program
    [string]$Place = "",                   # where the mod belongs; nothing may be there, and nothing is left there
    [string]$Init = "init.lua",            # the init file for both versions; "" for none
    [ValidateRange(1, 99999)][int]$Times = 4,      # of each version
    [ValidateRange(1, 99999)][int]$Seconds = 1800, # after which a game is ended
    [string]$Logs = "logs"                 # where the logs go; while it has those of an earlier run, logs-2 and so on
)
$ErrorActionPreference = "Stop"

foreach ($version in $Old, $New) {
    if (-not (Test-Path -LiteralPath $version)) { throw "-Old and -New: there is no '$version'" }
    if (Test-Path -LiteralPath $version -PathType Container) {
        if ($Place -eq "") { throw "-Place: where does the mod '$version' belong?" }
        # A link that leads nowhere is there, too.
        if ((Test-Path -LiteralPath $Place) -or (Get-Item -LiteralPath $Place -Force -ErrorAction SilentlyContinue)) {
            throw "-Place: '$Place' is there; move it away first"
        }
    }
}
if (-not (Test-Path -LiteralPath $Replay -PathType Leaf)) { throw "-Replay: there is no replay '$Replay'" }
if (-not (Test-Path -LiteralPath $Game -PathType Leaf)) { throw "-Game: there is no program '$Game'" }
$Replay = (Resolve-Path -LiteralPath $Replay).Path
$Game = (Resolve-Path -LiteralPath $Game).Path

# Whether an earlier run has left logs, which would be compared with those of this one.
function HasLogs([string]$folder) {
    foreach ($pattern in "old-*.log", "new-*.log") {
        if (Get-ChildItem -LiteralPath $folder -Filter $pattern -ErrorAction SilentlyContinue) { return $true }
    }
    return $false
}
$base = $Logs.TrimEnd([char[]]"\/")
for ($run = 2; HasLogs $Logs; $run++) { $Logs = "$base-$run" }
$Logs = (New-Item -ItemType Directory -Force -Path $Logs).FullName

# One game, with its log in $name.log.
function Play([string]$name, [string]$version) {
    $log = Join-Path $Logs "$name.log"
    $isFolder = Test-Path -LiteralPath $version -PathType Container
    $used = if ($isFolder) { $Init } else { (Resolve-Path -LiteralPath $version).Path }
    $options = @("/replay", "`"$Replay`"", "/log", "`"$log`"", "/nobugreport", "/nosound", "/exitongameover")
    if ($used -ne "") { $options += "/init", "`"$used`"" }
    Write-Host "$Game $options"
    $process = $null
    try {
        if ($isFolder) { Copy-Item -LiteralPath $version -Destination $Place -Recurse }
        $process = Start-Process -FilePath $Game -ArgumentList $options -WorkingDirectory (Split-Path -Parent $Game) -PassThru
        for ($waited = 0; $waited -lt $Seconds -and -not $process.HasExited; $waited++) {
            if ((Test-Path -LiteralPath $log) -and
                (Select-String -LiteralPath $log -Pattern 'prof: \$\d+ [a-z]+\d+ \d+ end ' -Quiet -ErrorAction SilentlyContinue)) { break }
            Start-Sleep -Seconds 1
        }
    } finally {
        if ($null -ne $process -and -not $process.HasExited) { $process.Kill(); $process.WaitForExit() }
        if ($isFolder -and (Test-Path -LiteralPath $Place)) { Remove-Item -LiteralPath $Place -Recurse -Force }
    }
    if (-not (Test-Path -LiteralPath $log) -or (Get-Item -LiteralPath $log).Length -eq 0) { throw "the game has written no log '$log'" }
}

for ($number = 1; $number -le $Times; $number++) {
    Play "old-$number" $Old
    Play "new-$number" $New
}
Write-Host "supprof --repeated --diff `"$Logs\old-*.log`" `"$Logs\new-*.log`""
if (Get-Command supprof -ErrorAction SilentlyContinue) {
    supprof --repeated --diff "$Logs\old-*.log" "$Logs\new-*.log"
}
